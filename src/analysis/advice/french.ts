import type { Advice } from './english.ts';

export const FRENCH_ADVICE: Advice = {
  keyphraseLength: {
    none: 'Pas encore de requête cible. Saisissez les mots par lesquels on doit trouver cette page.',
    good: 'La requête cible compte {found} mots porteurs de sens. Bien.',
    long: 'La requête cible compte {found} mots porteurs de sens. Réduisez-la à {most} au plus.',
    short:
      'La requête cible compte {found} mots porteurs de sens. Prenez-en {least} à {most}, par exemple le type de produit, sa matière et sa taille.',
  },
  keyphraseIntroduction: {
    good: 'Le premier paragraphe nomme la requête cible dans une phrase. Bien.',
    spread:
      'Le premier paragraphe contient les mots de la requête cible dans des phrases différentes. Réunissez-les dans une seule phrase.',
    missing:
      'Le premier paragraphe ne nomme pas la requête cible. Dites-y en une phrase, avec ses mots, de quoi il s’agit.',
  },
  keyphraseDensity: {
    good: 'La requête cible apparaît {found} fois en {words} mots. Bien.',
    few: 'La requête cible apparaît {found} fois en {words} mots. Employez-la au moins {least} fois.',
    many: 'La requête cible apparaît {found} fois en {words} mots. Employez-la {most} fois au plus.',
    noText: 'Il n’y a pas encore de texte. Écrivez-en un qui emploie la requête cible.',
  },
  keyphraseTitle: {
    good: 'Le titre SEO commence par la requête cible. Bien.',
    later: 'Le titre SEO contient la requête cible, mais pas au début. Placez-la au début.',
    words:
      'Le titre SEO contient les mots de la requête cible, mais pas tels quels. Commencez-le par la requête cible exacte.',
    missing: 'La requête cible manque dans le titre SEO. Commencez le titre par elle.',
  },
  keyphraseDescription: {
    good: 'La méta description contient la requête cible {found} fois. Bien.',
    missing: 'La requête cible manque dans la méta description. Employez-la une ou deux fois.',
    many: 'La méta description contient la requête cible {found} fois. Employez-la {most} fois au plus.',
  },
  keyphraseSlug: {
    good: 'Le slug contient la requête cible. Bien.',
    part: 'Le slug contient {found} des {wanted} mots de la requête cible. Ajoutez les mots manquants.',
    missing: 'La requête cible manque dans le slug. Employez-y ses mots.',
  },
  keyphraseHeadings: {
    good: '{found} des {wanted} intertitres (niveaux 2 et 3) nomment la requête cible. Bien.',
    few: '{found} des {wanted} intertitres (niveaux 2 et 3) nomment la requête cible. Nommez-la dans {least} au moins.',
    many: '{found} des {wanted} intertitres (niveaux 2 et 3) nomment la requête cible. Nommez-la dans {most} au plus, ou ajoutez des intertitres sur autre chose.',
    none: 'Le texte compte {words} mots et aucun intertitre. À partir de {most} mots, ajoutez des intertitres (niveaux 2 et 3) et nommez la requête cible dans la moitié environ.',
    short: 'Le texte est assez court pour se passer d’intertitres. Bien.',
  },
  keyphraseAlt: {
    good: '{found} des {wanted} textes alternatifs des images nomment la requête cible. Bien.',
    few: '{found} des {wanted} textes alternatifs des images nomment la requête cible. Nommez-la dans {least} au moins, là où l’image la montre.',
    many: '{found} des {wanted} textes alternatifs des images nomment la requête cible. Nommez-la dans {most} au plus.',
    noImages: 'Aucune image dont le texte alternatif pourrait nommer la requête cible. Ajoutez-en une.',
  },
  keyphraseReuse: {
    good: 'Aucune autre page n’a cette requête cible. Bien.',
    once: '{found} autre page a cette requête cible. Donnez à chaque page la sienne.',
    often: '{found} autres pages ont cette requête cible. Donnez à chaque page la sienne.',
  },
  functionWordsOnly: {
    notice:
      'La requête cible ne contient que des mots sans signification propre, comme « le » ou « pour ». Ajoutez un nom.',
  },
  titleWidth: {
    good: 'Le titre SEO mesure {found} pixels ; {most} sont affichés. Bien.',
    wide: 'Le titre SEO mesure {found} pixels, mais {most} seulement sont affichés. Raccourcissez-le ; il compte {characters} caractères.',
    none: 'Il n’y a pas de titre SEO. Saisissez-en un de {most} pixels au plus.',
  },
  descriptionLength: {
    good: 'La méta description compte {found} caractères. Bien.',
    short: 'La méta description compte {found} caractères. Utilisez la place : {least} à {most} conviennent.',
    long: 'La méta description compte {found} caractères et sera coupée. Réduisez-la à {least} à {most}.',
    none: 'Il n’y a pas de méta description. Écrivez-en une de {least} à {most} caractères.',
  },
  textLength: {
    good: 'Le texte compte {found} mots ; il en faut {least} au moins. Bien.',
    short: 'Le texte compte {found} mots. Écrivez-en {least} au moins.',
  },
  images: {
    good: 'Images : {found}. Bien.',
    none: 'Il n’y a pas d’image. Ajoutez-en une au moins.',
  },
  altTexts: {
    good: 'Les {all} images ont toutes un texte alternatif. Bien.',
    missing: '{found} des {all} images n’ont pas de texte alternatif. Décrivez-y ce que montre l’image.',
  },
  internalLinks: {
    good: 'Liens vers d’autres pages de ce site : {found}. Bien.',
    mixed: '{found} des {all} liens vers d’autres pages de ce site portent la marque nofollow. Retirez-la.',
    nofollow: 'Les {found} liens vers d’autres pages de ce site portent tous la marque nofollow. Retirez-la.',
    none: 'Aucun lien ne mène à une autre page de ce site. Ajoutez-en un au moins.',
  },
  outboundLinks: {
    good: 'Liens vers d’autres sites : {found}. Bien.',
    mixed:
      '{found} des {all} liens vers d’autres sites portent la marque nofollow. Ne la gardez que pour les sites dont vous ne répondez pas.',
    nofollow:
      'Les {found} liens vers d’autres sites portent tous la marque nofollow. Ne la gardez que pour les sites dont vous ne répondez pas.',
    none: 'Aucun lien ne mène à un autre site. Ajoutez-en un vers une source, une norme ou un partenaire.',
  },
  competingLinks: {
    good: 'Aucun lien vers une autre page n’a la requête cible pour texte. Bien.',
    found:
      '{found} liens ont la requête cible pour texte, comme si l’autre page était la bonne. Choisissez-leur un autre texte.',
  },
  singleH1: {
    good: 'Le texte n’a pas plus d’un titre de niveau 1. Bien.',
    many: 'Le texte a {found} titres de niveau 1. Gardez-en 1 au plus et passez les autres au niveau 2.',
  },
  gtin: {
    good: 'Le produit a un GTIN. Bien.',
    none: 'Le produit n’a pas de GTIN. Saisissez-le, pour que moteurs de recherche et boutiques reconnaissent le produit.',
  },
  sku: {
    good: 'Le produit a une référence. Bien.',
    none: 'Le produit n’a pas de référence. Saisissez-la.',
  },
  textPresence: {
    none: 'Le texte compte {found} caractères. Écrivez-en {least} au moins pour qu’il puisse être vérifié.',
  },
  headingDistribution: {
    good: 'La section la plus longue compte {found} mots ; jusqu’à {most}, c’est bien.',
    short: 'Le texte compte {found} mots ; il faut des intertitres à partir de {most}. Bien.',
    none: 'Le texte compte {found} mots et aucun intertitre. Ajoutez-en un tous les {most} mots au moins.',
    long: 'Une section compte {found} mots sans intertitre. Ajoutez-en, pour qu’aucune ne dépasse {most}.',
  },
  paragraphLength: {
    good: 'Le paragraphe le plus long compte {found} mots ; jusqu’à {most}, c’est bien.',
    long: 'Paragraphes trop longs : {long} ; le plus long compte {found} mots. Divisez-les en paragraphes de {most} mots au plus.',
  },
  sentenceLength: {
    good: '{found} % des phrases ont plus de {words} mots ; jusqu’à {most} %, c’est bien.',
    many: '{found} % des phrases ({long} sur {all}) ont plus de {words} mots. Divisez-en quelques-unes, jusqu’à {most} % au plus.',
  },
  sentenceBeginnings: {
    good: 'Les débuts de phrase varient. Bien.',
    many: '{found} phrases de suite commencent par « {word} ». Reformulez-en, pour qu’il n’y en ait pas plus de {most}.',
  },
  passiveVoice: {
    good: '{found} % des phrases sont à la voix passive ; jusqu’à {most} %, c’est bien.',
    many: '{found} % des phrases ({passive} sur {all}) sont à la voix passive. Dites qui agit, jusqu’à {most} % au plus.',
  },
  transitionWords: {
    good: '{found} % des phrases ont un mot de liaison ; à partir de {least} %, c’est bien.',
    few: '{found} % des phrases ({linked} sur {all}) ont un mot de liaison. Reliez les idées par des mots comme « car », « cependant » ou « donc », jusqu’à {least} % au moins.',
    short: 'Le texte est assez court pour se passer de mots de liaison. Bien.',
  },
  readingEase: {
    easy: 'Facilité de lecture : {found} sur 100. Le texte se lit facilement.',
    medium:
      'Facilité de lecture : {found} sur 100. Le texte demande un peu d’attention. Des phrases et des mots plus courts le rendent plus facile ; 60, c’est facile.',
    hard: 'Facilité de lecture : {found} sur 100. Le texte est difficile. Employez des phrases et des mots plus courts ; 60, c’est facile.',
  },
};
