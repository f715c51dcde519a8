/** What somebody can do in the form. */
interface EditorsHands {
  write(field: string, text: string): Promise<void>;
  change(field: string, change: (before: string) => string): Promise<void>;
}

/** A text with most of the mistakes that are advised against. */
export const START =
  '<p>Das Modell wurde in langer Arbeit entwickelt und wird seit diesem Jahr in unserem Werk in Velbert gefertigt, wo es ' +
  'von erfahrenen Mitarbeitern geprüft und anschließend sorgfältig verpackt wird. Es wird ohne Schrauben geliefert. Es ' +
  'wird in zwei Farben angeboten. Es wird auf Wunsch graviert, wobei die Schrift, die Größe und die Stelle der Gravur vorab ' +
  'von unserem Büro in Velbert mit dem Kunden genau abgestimmt und schriftlich festgehalten werden.</p>';

const ACTIVE =
  '<p>Der Türdrücker Edelstahl ist neu in unserem Programm. Wir haben ihn entwickelt, weil viele Kunden danach fragten. ' +
  'Unser Werk in Velbert fertigt ihn seit diesem Jahr. Erfahrene Mitarbeiter prüfen jedes Stück. Danach verpacken sie es ' +
  'sorgfältig.</p>';

const PARAGRAPH =
  '<p>Die Montage gelingt ohne besonderes Werkzeug. Zuerst lösen Sie die alten Schrauben am Schild. Danach ziehen Sie den ' +
  'alten Griff vorsichtig ab. Stecken Sie dann den neuen Griff auf den Vierkant. Damit nichts wackelt, ziehen Sie die ' +
  'Schraube am Hals fest an. Prüfen Sie zum Schluss, ob die Falle leicht zurückspringt. Das Material hält auch bei Regen, ' +
  'denn Edelstahl rostet nicht. Außerdem lässt sich die glatte Fläche leicht reinigen. Ein weiches Tuch und Wasser genügen ' +
  'dafür.</p>';

const LONGER =
  `<h2>Türdrücker aus Edelstahl montieren</h2>${PARAGRAPH}<h2>Pflege</h2>${PARAGRAPH.replace('Die Montage', 'Die Pflege')}` +
  `<h2>Maße und Ausführungen</h2>${PARAGRAPH.replace('Die Montage', 'Auch die Auswahl')}${PARAGRAPH.replace('Die Montage', 'Der Tausch')}`;

const TITLE = 'Türdrücker Edelstahl: neu aus Velbert';
const DESCRIPTION =
  'Unser Türdrücker aus Edelstahl kommt aus Velbert. So montieren Sie ihn ohne besonderes Werkzeug, und so bleibt die ' +
  'glatte Fläche lange schön.';

const write =
  (field: string, text: string) =>
  ({ write }: EditorsHands) =>
    write(field, text);
const add =
  (html: string) =>
  ({ change }: EditorsHands) =>
    change('content', (before) => before + html);
const rewrite = ({ change }: EditorsHands) => change('content', (before) => before.replace(START, ACTIVE));

/** What an editor does who reads the advice of a check and nothing else. */
export const FOLLOW: Readonly<Record<string, (hands: EditorsHands) => Promise<void>>> = {
  keyphraseLength: write('focus_keyphrase', 'Türdrücker Edelstahl'),
  keyphraseIntroduction: rewrite,
  keyphraseDensity: add('<p>Zum Türdrücker Edelstahl passen unsere Schilder.</p>'),
  keyphraseTitle: write('title', TITLE),
  keyphraseDescription: write('description', DESCRIPTION),
  keyphraseSlug: write('slug', 'tuerdruecker-edelstahl'),
  keyphraseAlt: add('<p><img src="/media/griff.jpg" alt="Türdrücker aus Edelstahl an einer Holztür"></p>'),
  descriptionLength: write('description', DESCRIPTION),
  textLength: add(LONGER),
  internalLinks: add('<p>Lesen Sie auch, <a href="/schilder/">welche Schilder dazu passen</a>.</p>'),
  outboundLinks: add('<p>Maßgebend ist die <a href="https://www.din.de/">Norm DIN 18255</a>.</p>'),
  passiveVoice: rewrite,
  sentenceBeginnings: rewrite,
  sentenceLength: rewrite,
};
