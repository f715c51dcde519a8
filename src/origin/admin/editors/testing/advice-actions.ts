import type { AdviceLanguage } from '#analysis/types.ts';

/** Actions in the form. */
interface EditorsHands {
  write(field: string, text: string): Promise<void>;
  change(field: string, change: (before: string) => string): Promise<void>;
}

/** Texts for each language, because languages have different rules. */
interface Plan {
  /** A text with most of the mistakes that the advice covers, and its keyphrase. */
  before: { title: string; slug: string; text: string; keyphrase: string };
  keyphrase: string;
  /** The same text in short sentences with active verbs. */
  active: string;
  /** Additional text below subheadings. */
  longer: string;
  title: string;
  description: string;
  slug: string;
  /** A sentence with the keyphrase, an internal link, an outbound link, and an image. */
  mention: string;
  internal: string;
  outbound: string;
  picture: string;
}

const write =
  (field: string, text: string) =>
  ({ write }: EditorsHands) =>
    write(field, text);
const add =
  (html: string) =>
  ({ change }: EditorsHands) =>
    change('content', (before) => before + html);

/** Edits that follow the advice of each check literally. */
export function adviceActions(plan: Plan): Readonly<Record<string, (hands: EditorsHands) => Promise<void>>> {
  const rewrite = ({ change }: EditorsHands) =>
    change('content', (before) => before.replace(plan.before.text, plan.active));
  return {
    keyphraseLength: write('focus_keyphrase', plan.keyphrase),
    keyphraseIntroduction: rewrite,
    keyphraseDensity: add(plan.mention),
    keyphraseTitle: write('title', plan.title),
    keyphraseDescription: write('description', plan.description),
    keyphraseSlug: write('slug', plan.slug),
    keyphraseAlt: add(plan.picture),
    images: add(plan.picture),
    titleWidth: write('title', plan.title),
    descriptionLength: write('description', plan.description),
    textLength: add(plan.longer),
    internalLinks: add(plan.internal),
    outboundLinks: add(plan.outbound),
    passiveVoice: rewrite,
    sentenceBeginnings: rewrite,
    sentenceLength: rewrite,
    paragraphLength: rewrite,
  };
}

/** Builds sections from one paragraph with different beginnings. */
function sections(
  paragraph: string,
  beginning: string,
  parts: readonly (string | readonly [heading: string, begins: string])[],
) {
  return parts
    .map((part) => (typeof part === 'string' ? ['', part] : [`<h2>${part[0]}</h2>`, part[1]]))
    .map(([heading = '', begins = '']) => `${heading}<p>${paragraph.replace(beginning, begins)}</p>`)
    .join('');
}

export const ADVICE_PLANS: Readonly<Record<AdviceLanguage, Plan>> = {
  de: {
    before: {
      title: 'Neu im Programm',
      slug: 'neu-im-programm',
      keyphrase: 'hochwertiger gebürsteter Türdrücker Edelstahl Langschild Rundrosette Haustür Wohnungstür Objekt',
      text:
        '<p>Das Modell wurde in langer Arbeit entwickelt und wird seit diesem Jahr in unserem Werk in Velbert gefertigt, wo es ' +
        'von erfahrenen Mitarbeitern geprüft und anschließend sorgfältig verpackt wird. Es wird ohne Schrauben geliefert. Es ' +
        'wird in zwei Farben angeboten. Es wird auf Wunsch graviert, wobei die Schrift, die Größe und die Stelle der Gravur ' +
        'vorab von unserem Büro in Velbert mit dem Kunden genau abgestimmt und schriftlich festgehalten werden.</p>',
    },
    keyphrase: 'Türdrücker Edelstahl',
    active:
      '<p>Der Türdrücker Edelstahl ist neu in unserem Programm. Wir haben ihn entwickelt, weil viele Kunden danach fragten. ' +
      'Unser Werk in Velbert fertigt ihn seit diesem Jahr. Erfahrene Mitarbeiter prüfen jedes Stück. Danach verpacken sie es ' +
      'sorgfältig.</p>',
    longer: sections(
      'Die Montage gelingt ohne besonderes Werkzeug. Zuerst lösen Sie die alten Schrauben am Schild. Danach ziehen Sie den ' +
        'alten Griff vorsichtig ab. Stecken Sie dann den neuen Griff auf den Vierkant. Damit nichts wackelt, ziehen Sie die ' +
        'Schraube am Hals fest an. Prüfen Sie zum Schluss, ob die Falle leicht zurückspringt. Das Material hält auch bei ' +
        'Regen, denn Edelstahl rostet nicht. Außerdem lässt sich die glatte Fläche leicht reinigen. Ein weiches Tuch und ' +
        'Wasser genügen dafür.',
      'Die Montage',
      [
        ['Türdrücker aus Edelstahl montieren', 'Die Montage'],
        ['Pflege', 'Die Pflege'],
        ['Maße und Ausführungen', 'Auch die Auswahl'],
        'Der Tausch',
      ],
    ),
    title: 'Türdrücker Edelstahl: neu aus Velbert',
    description:
      'Unser Türdrücker aus Edelstahl kommt aus Velbert. So montieren Sie ihn ohne besonderes Werkzeug, und so bleibt die ' +
      'glatte Fläche lange schön.',
    slug: 'tuerdruecker-edelstahl',
    mention: '<p>Zum Türdrücker Edelstahl passen unsere Schilder.</p>',
    internal: '<p>Lesen Sie auch, <a href="/schilder/">welche Schilder dazu passen</a>.</p>',
    outbound: '<p>Maßgebend ist die <a href="https://www.din.de/">Norm DIN 18255</a>.</p>',
    picture: '<p><img src="/media/griff.jpg" alt="Türdrücker aus Edelstahl an einer Holztür"></p>',
  },
  en: {
    before: {
      title: 'New in our range',
      slug: 'new-in-our-range',
      keyphrase: 'durable brushed stainless steel door handle long plate round rose front flat office',
      text:
        '<p>The model was developed in many months of hard work and is now produced in our plant in Sheffield, where it is ' +
        'checked by experienced staff and is afterwards packed with great care. It is delivered without screws. It is offered ' +
        'in two colours. It is engraved on request, whereby the lettering, the size and the position of the engraving are ' +
        'agreed in advance by our office with the customer and are written down.</p>',
    },
    keyphrase: 'steel door handle',
    active:
      '<p>The steel door handle is new in our range. We developed it because many customers asked for one. Our plant in ' +
      'Sheffield makes it. Experienced staff check each piece. Then they pack it with care.</p>',
    longer: sections(
      'The fitting works without special tools. First, loosen the old screws on the plate. Then pull the old grip off ' +
        'carefully. Next, push the new one onto the spindle. Tighten the screw at the neck so that nothing wobbles. Finally, ' +
        'check that the latch springs back. The material also lasts in the rain because it does not rust. In addition, you ' +
        'clean the smooth surface in no time. A soft cloth and water will do.',
      'The fitting',
      [
        ['How to fit the steel door handle', 'The fitting'],
        ['Care', 'Caring for it'],
        ['Sizes', 'Your choice'],
        'Replacing it',
        'Ordering',
      ],
    ),
    title: 'Steel door handle: new from Sheffield',
    description:
      'Our steel door handle comes from Sheffield. Learn how to fit it without special tools, and how to keep its smooth ' +
      'surface fine for many years.',
    slug: 'steel-door-handle',
    mention: '<p>Our plates go with the steel door handle.</p>',
    internal: '<p>Also read <a href="/plates/">which plates go with it</a>.</p>',
    outbound: '<p>The <a href="https://www.bsigroup.com/">standard BS EN 1906</a> applies.</p>',
    picture: '<p><img src="/media/handle.jpg" alt="A steel door handle on a wooden door"></p>',
  },
  fr: {
    before: {
      title: 'Nouveau dans la gamme',
      slug: 'nouveau-dans-la-gamme',
      keyphrase: 'poignée porte inox brossé plaque longue rosace ronde entrée appartement bureau',
      text:
        '<p>Le modèle a été conçu pendant de longs mois et est fabriqué depuis cette année dans notre usine de Thiers, où il ' +
        'est contrôlé par des ouvriers expérimentés et est ensuite emballé avec soin. Il est livré sans vis. Il est proposé en ' +
        'deux couleurs. Il est gravé sur demande, et le texte, la taille et la place de la gravure sont fixés à l’avance par ' +
        'notre bureau avec le client et sont notés par écrit.</p>',
    },
    keyphrase: 'poignée de porte',
    active:
      '<p>La poignée de porte est nouvelle dans notre gamme. Nous avons conçu ce modèle car beaucoup de clients le ' +
      'demandaient. Notre usine de Thiers la fabrique. Des ouvriers expérimentés contrôlent chaque pièce. Ensuite, une équipe ' +
      'emballe le tout avec soin.</p>',
    longer: sections(
      'Le montage se fait sans outil spécial. D’abord, desserrez les vis de la plaque. Ensuite, retirez avec soin la vieille ' +
        'pièce. Puis glissez la nouvelle sur le carré. Serrez la vis du col afin que rien ne bouge. Enfin, vérifiez que le ' +
        'pêne revient bien. La matière résiste aussi à la pluie, car elle ne rouille pas. De plus, vous nettoyez la surface ' +
        'en un instant. Un chiffon doux et de l’eau suffisent.',
      'Le montage',
      [
        ['Monter la poignée de porte', 'Le montage'],
        ['Entretien', 'L’entretien'],
        ['Dimensions', 'Votre choix'],
        'Ce remplacement',
        'Cette pose',
      ],
    ),
    title: 'Poignée de porte : la nouveauté de Thiers',
    description:
      'Notre poignée de porte vient de Thiers. Apprenez à la monter sans outil spécial, et à garder sa surface belle et ' +
      'propre pendant de longues années.',
    slug: 'poignee-de-porte',
    mention: '<p>Nos plaques vont avec la poignée de porte.</p>',
    internal: '<p>Lisez aussi <a href="/plaques/">quelles plaques choisir</a>.</p>',
    outbound: '<p>La <a href="https://www.afnor.org/">norme NF EN 1906</a> s’applique.</p>',
    picture: '<p><img src="/media/poignee.jpg" alt="Une poignée de porte en inox sur une porte en bois"></p>',
  },
};
