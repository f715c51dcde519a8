import type { Advice } from './english.ts';

export const GERMAN_ADVICE: Advice = {
  keyphraseLength: {
    none: 'Noch kein Suchbegriff. Tragen Sie die Wörter ein, unter denen man diese Seite finden soll.',
    good: 'Der Suchbegriff hat {found} bedeutungstragende Wörter. Gut.',
    long: 'Der Suchbegriff hat {found} bedeutungstragende Wörter. Kürzen Sie ihn auf höchstens {most}.',
    short:
      'Der Suchbegriff hat {found} bedeutungstragende Wörter. Nehmen Sie {least} bis {most}, etwa Art, Werkstoff und Maß des Produkts.',
  },
  keyphraseIntroduction: {
    good: 'Der erste Absatz nennt den Suchbegriff in einem Satz. Gut.',
    spread:
      'Der erste Absatz enthält die Wörter des Suchbegriffs in verschiedenen Sätzen. Bringen Sie sie in einen Satz.',
    missing:
      'Der erste Absatz nennt den Suchbegriff nicht. Sagen Sie dort in einem Satz mit seinen Wörtern, worum es geht.',
  },
  keyphraseDensity: {
    good: 'Der Suchbegriff kommt in {words} Wörtern {found}-mal vor. Gut.',
    few: 'Der Suchbegriff kommt in {words} Wörtern {found}-mal vor. Verwenden Sie ihn mindestens {least}-mal.',
    many: 'Der Suchbegriff kommt in {words} Wörtern {found}-mal vor. Verwenden Sie ihn höchstens {most}-mal.',
    noText: 'Es gibt noch keinen Text. Schreiben Sie einen, der den Suchbegriff verwendet.',
  },
  keyphraseTitle: {
    good: 'Der SEO-Titel beginnt mit dem Suchbegriff. Gut.',
    later: 'Der SEO-Titel enthält den Suchbegriff, aber nicht am Anfang. Stellen Sie ihn an den Anfang.',
    words:
      'Der SEO-Titel enthält die Wörter des Suchbegriffs, aber nicht so wie eingetragen. Beginnen Sie ihn mit genau dem Suchbegriff.',
    missing: 'Im SEO-Titel fehlt der Suchbegriff. Beginnen Sie den Titel mit ihm.',
  },
  keyphraseDescription: {
    good: 'Die Meta-Beschreibung enthält den Suchbegriff {found}-mal. Gut.',
    missing: 'In der Meta-Beschreibung fehlt der Suchbegriff. Verwenden Sie ihn dort ein- oder zweimal.',
    many: 'Die Meta-Beschreibung enthält den Suchbegriff {found}-mal. Verwenden Sie ihn höchstens {most}-mal.',
  },
  keyphraseSlug: {
    good: 'Der URL-Slug enthält den Suchbegriff. Gut.',
    part: 'Der URL-Slug enthält {found} von {wanted} Wörtern des Suchbegriffs. Ergänzen Sie die fehlenden.',
    missing: 'Im URL-Slug fehlt der Suchbegriff. Verwenden Sie dort seine Wörter.',
  },
  keyphraseHeadings: {
    good: '{found} von {wanted} Zwischenüberschriften (Ebenen 2 und 3) nennen den Suchbegriff. Gut.',
    few: '{found} von {wanted} Zwischenüberschriften (Ebenen 2 und 3) nennen den Suchbegriff. Nennen Sie ihn in mindestens {least}.',
    many: '{found} von {wanted} Zwischenüberschriften (Ebenen 2 und 3) nennen den Suchbegriff. Nennen Sie ihn in höchstens {most}, oder ergänzen Sie Überschriften zu anderem.',
    none: 'Der Text hat {words} Wörter und keine Zwischenüberschriften. Setzen Sie ab {most} Wörtern welche (Ebenen 2 und 3) und nennen Sie den Suchbegriff in etwa der Hälfte.',
    short: 'Der Text ist kurz genug, um ohne Zwischenüberschriften auszukommen. Gut.',
  },
  keyphraseAlt: {
    good: '{found} von {wanted} Alternativtexten der Bilder nennen den Suchbegriff. Gut.',
    few: '{found} von {wanted} Alternativtexten der Bilder nennen den Suchbegriff. Nennen Sie ihn in mindestens {least}, wo das Bild ihn zeigt.',
    many: '{found} von {wanted} Alternativtexten der Bilder nennen den Suchbegriff. Nennen Sie ihn in höchstens {most}.',
    noImages: 'Es gibt kein Bild, dessen Alternativtext den Suchbegriff nennen könnte. Fügen Sie eines ein.',
  },
  keyphraseReuse: {
    good: 'Keine andere Seite hat diesen Suchbegriff. Gut.',
    once: '{found} andere Seite hat diesen Suchbegriff. Geben Sie jeder Seite einen eigenen.',
    often: '{found} andere Seiten haben diesen Suchbegriff. Geben Sie jeder Seite einen eigenen.',
  },
  functionWordsOnly: {
    notice:
      'Der Suchbegriff besteht nur aus Wörtern ohne eigene Bedeutung wie „der“ oder „für“. Ergänzen Sie ein Hauptwort.',
  },
  titleWidth: {
    good: 'Der SEO-Titel ist {found} Pixel breit; {most} werden gezeigt. Gut.',
    wide: 'Der SEO-Titel ist {found} Pixel breit, gezeigt werden nur {most}. Kürzen Sie ihn; jetzt hat er {characters} Zeichen.',
    none: 'Es gibt keinen SEO-Titel. Tragen Sie einen mit höchstens {most} Pixeln ein.',
  },
  descriptionLength: {
    good: 'Die Meta-Beschreibung hat {found} Zeichen. Gut.',
    short: 'Die Meta-Beschreibung hat {found} Zeichen. Nutzen Sie den Platz: {least} bis {most} sind gut.',
    long: 'Die Meta-Beschreibung hat {found} Zeichen und wird abgeschnitten. Kürzen Sie sie auf {least} bis {most}.',
    none: 'Es gibt keine Meta-Beschreibung. Schreiben Sie eine mit {least} bis {most} Zeichen.',
  },
  textLength: {
    good: 'Der Text hat {found} Wörter; mindestens {least} sollten es sein. Gut.',
    short: 'Der Text hat {found} Wörter. Schreiben Sie mindestens {least}.',
  },
  images: {
    good: 'Bilder: {found}. Gut.',
    none: 'Es gibt kein Bild. Fügen Sie mindestens eines ein.',
  },
  altTexts: {
    good: 'Alle {all} Bilder haben einen Alternativtext. Gut.',
    missing: '{found} von {all} Bildern haben keinen Alternativtext. Beschreiben Sie darin, was das Bild zeigt.',
  },
  internalLinks: {
    good: 'Links zu anderen Seiten dieser Website: {found}. Gut.',
    mixed:
      '{found} von {all} Links zu anderen Seiten dieser Website sind mit nofollow gekennzeichnet. Entfernen Sie das.',
    nofollow:
      'Alle {found} Links zu anderen Seiten dieser Website sind mit nofollow gekennzeichnet. Entfernen Sie das.',
    none: 'Kein Link führt zu einer anderen Seite dieser Website. Fügen Sie mindestens einen ein.',
  },
  outboundLinks: {
    good: 'Links zu anderen Websites: {found}. Gut.',
    mixed:
      '{found} von {all} Links zu anderen Websites sind mit nofollow gekennzeichnet. Lassen Sie das nur, wo Sie für das Ziel nicht einstehen.',
    nofollow:
      'Alle {found} Links zu anderen Websites sind mit nofollow gekennzeichnet. Lassen Sie das nur, wo Sie für das Ziel nicht einstehen.',
    none: 'Kein Link führt zu einer anderen Website. Fügen Sie einen zu einer Quelle, einer Norm oder einem Partner ein.',
  },
  competingLinks: {
    good: 'Kein Link zu einer anderen Seite hat den Suchbegriff als Text. Gut.',
    found:
      '{found} Links haben den Suchbegriff als Text, als wäre die andere Seite die richtige dafür. Wählen Sie für sie einen anderen Text.',
  },
  singleH1: {
    good: 'Der Text hat nicht mehr als eine Überschrift der Ebene 1. Gut.',
    many: 'Der Text hat {found} Überschriften der Ebene 1. Behalten Sie höchstens 1 und stufen Sie die anderen auf Ebene 2.',
  },
  gtin: {
    good: 'Das Produkt hat eine GTIN. Gut.',
    none: 'Das Produkt hat keine GTIN. Tragen Sie sie ein, damit Suchmaschinen und Shops das Produkt erkennen.',
  },
  sku: {
    good: 'Das Produkt hat eine Artikelnummer. Gut.',
    none: 'Das Produkt hat keine Artikelnummer. Tragen Sie sie ein.',
  },
  textPresence: {
    none: 'Der Text hat {found} Zeichen. Schreiben Sie mindestens {least}, damit er geprüft werden kann.',
  },
  headingDistribution: {
    good: 'Der längste Abschnitt hat {found} Wörter; bis {most} sind gut.',
    short: 'Der Text hat {found} Wörter; Zwischenüberschriften braucht er ab {most}. Gut.',
    none: 'Der Text hat {found} Wörter und keine Zwischenüberschriften. Setzen Sie mindestens alle {most} Wörter eine.',
    long: 'Ein Abschnitt hat {found} Wörter ohne Zwischenüberschrift. Setzen Sie welche, damit keiner mehr als {most} hat.',
  },
  paragraphLength: {
    good: 'Der längste Absatz hat {found} Wörter; bis {most} sind gut.',
    long: 'Zu lange Absätze: {long}; der längste hat {found} Wörter. Teilen Sie sie in Absätze von höchstens {most}.',
  },
  sentenceLength: {
    good: '{found} % der Sätze haben mehr als {words} Wörter; bis {most} % sind gut.',
    many: '{found} % der Sätze ({long} von {all}) haben mehr als {words} Wörter. Teilen Sie einige, bis es höchstens {most} % sind.',
  },
  sentenceBeginnings: {
    good: 'Die Satzanfänge wechseln. Gut.',
    many: '{found} Sätze hintereinander beginnen mit „{word}“. Stellen Sie einige um, bis es höchstens {most} sind.',
  },
  passiveVoice: {
    good: '{found} % der Sätze stehen im Passiv; bis {most} % sind gut.',
    many: '{found} % der Sätze ({passive} von {all}) stehen im Passiv. Sagen Sie, wer es tut, bis es höchstens {most} % sind.',
  },
  transitionWords: {
    good: '{found} % der Sätze haben ein Bindewort; ab {least} % ist es gut.',
    few: '{found} % der Sätze ({linked} von {all}) haben ein Bindewort. Verbinden Sie Gedanken mit Wörtern wie „weil“, „jedoch“ oder „deshalb“, bis es mindestens {least} % sind.',
    short: 'Der Text ist kurz genug, um ohne Bindewörter auszukommen. Gut.',
  },
  readingEase: {
    easy: 'Lesbarkeitsindex: {found} von 100. Der Text ist leicht zu lesen.',
    medium:
      'Lesbarkeitsindex: {found} von 100. Der Text verlangt etwas Aufmerksamkeit. Kürzere Sätze und Wörter machen ihn leichter; 60 ist leicht.',
    hard: 'Lesbarkeitsindex: {found} von 100. Der Text ist schwer zu lesen. Nehmen Sie kürzere Sätze und Wörter; 60 ist leicht.',
  },
};
