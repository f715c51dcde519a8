import { expect, test } from 'vitest';
import { guessLanguage, languageRules } from '../languages/index.ts';
import { titleWidthPx } from './pixel-width.ts';
import { parseContent } from '../parse-input.ts';
import { splitClauses, splitIntoSentences, tokenizeWords } from './keyphrase.ts';

test.each([
  ['de', 'Die Norm gilt z. B. für Türen. Sie kostet ca. 3 Euro.', 2],
  ['de', 'Am 3. Mai öffnet das Werk. Dr. Weber spricht.', 2],
  ['de', 'Er misst 3,5 mm. Das genügt! Oder? Ja …', 4],
  ['en', 'See e.g. the plate. It costs 3.50 pounds. "Really?" Yes.', 4],
  ['fr', 'La vis (max. 5 mm) tient bien. Voir p. ex. la fig. 3.', 2],
])('%s: sentences of "%s"', (language, text, count) => {
  expect(splitIntoSentences(text, languageRules(language))).toHaveLength(count);
});

const isPassive = (language: string, sentence: string): boolean => {
  const rules = languageRules(language);
  return splitClauses(sentence).some((clause) => rules?.isPassive(tokenizeWords(clause, rules)));
};

test.each([
  ['de', 'Der Griff wird an der Tür befestigt.'],
  ['de', 'Die Schrauben wurden gestern geliefert.'],
  ['de', 'Weil das Schloss ausgebaut worden ist, klemmt nichts.'],
  ['de', 'Die Anleitung wird mitgeliefert, damit alles klappt.'],
  ['de', 'Das Verfahren wird in der Norm beschrieben.'],
  ['de', 'Die Tür wird automatisch verriegelt und überwacht.'],
  ['de', 'Die Schraube wird von Hand gesetzt.'],
  ['en', 'The handle is fixed to the door.'],
  ['en', 'The screws were delivered yesterday.'],
  ['en', 'Each part has been carefully made by hand.'],
  ['en', 'The lock can be taken out.'],
  ['fr', 'La poignée est fixée à la porte.'],
  ['fr', 'Les vis ont été livrées hier.'],
  ['fr', 'La notice est toujours fournie.'],
  ['fr', 'Les portes sont ouvertes par le gardien.'],
])('%s: "%s" is passive', (language, sentence) => expect(isPassive(language, sentence)).toBe(true));

test.each([
  ['de', 'Wir werden den Griff morgen bestellen.'],
  ['de', 'Das Wetter wird besser.'],
  ['de', 'Im Garten wird es Herbst.'],
  ['de', 'Wer gern baut, wird den Beschlag mögen.'],
  ['de', 'Das wird überhaupt nicht teuer und schnell bekannt.'],
  ['de', 'Die Montage gelingt ohne Werkzeug.'],
  ['en', 'The handle is a good one.'],
  ['en', 'You need screws that are strong.'],
  ['en', 'The door is red.'],
  ['fr', 'Le client est venu hier.'],
  ['fr', 'La porte s’est fermée.'],
  ['fr', 'La qualité est une priorité.'],
  ['fr', 'La poignée est en inox.'],
])('%s: "%s" is not', (language, sentence) => expect(isPassive(language, sentence)).toBe(false));

test.each([
  ['de', 'Türdrücker Türdrückers Türdrückern'],
  ['de', 'Schloss Schlösser Schlosses Schlössern'],
  ['de', 'Klinke Klinken'],
  ['en', 'hinge hinges'],
  ['en', 'fitting fittings fitted fit'],
  ['en', 'body bodies'],
  ['fr', 'poignée poignées'],
  ['fr', 'métal métaux'],
  ['fr', 'ouvert ouverte ouvertes ouverts'],
])('%s: forms of one word: %s', (language, forms) => {
  const rules = languageRules(language);
  expect(
    new Set(
      forms
        .toLowerCase()
        .split(' ')
        .map((word) => rules?.stem(word)),
    ).size,
  ).toBe(1);
});

test.each([
  ['de', { Tür: 1, Türdrücker: 3, Edelstahl: 3, bauen: 2, neu: 1, Fenster: 2 }],
  ['en', { door: 1, handle: 2, stainless: 2, area: 3, table: 2, made: 1, hinges: 2, fixed: 1 }],
  ['fr', { porte: 1, poignée: 2, eau: 1, serrure: 2, fermeture: 3 }],
])('%s: syllables', (language, words) => {
  const rules = languageRules(language);
  const counted = Object.keys(words).map((word) => [word, rules?.syllables(word.toLowerCase())]);
  expect(Object.fromEntries(counted)).toEqual(words);
});

test('titles are as wide as Arial at 20 pixels makes them', () => {
  // Widths of the font's table (667 + 4 * 556 + 222 …) times 20, in thousandths.
  expect(titleWidthPx('A')).toBe(13);
  expect(titleWidthPx('Hello')).toBe(Math.round(((722 + 556 + 222 + 222 + 556) * 20) / 1000));
  expect(titleWidthPx('Türen für Räume')).toBe(titleWidthPx('Turen fur Raume'));
  expect(titleWidthPx('u\u0308')).toBe(titleWidthPx('ü'));
  expect(titleWidthPx('i'.repeat(60))).toBeLessThan(titleWidthPx('W'.repeat(20)));
});

test('parses untrusted content into blocks, links and images', () => {
  const html = [
    '<!-- wp:paragraph --><p>Eins &amp; <b>zw</b>ei<br>drei &valueOf; &toString;</p><!-- /wp:paragraph -->',
    '<H2 class="x>y">Vier</H2><ul><li>F&uuml;nf<li>Sechs</ul>',
    '<script>if (a < b) "<p>nein</p>"</script><style>p { }</style><!-- <p>nein</p> -->',
    '<a href=/a rel="external nofollow">Sieben <img src=x alt=\'Bild "1"\'></a><a name=x>kein Link</a>',
    '<table><tr><td>Acht</td></tr></table>5 < 6 <',
  ].join('');
  expect(parseContent(html)).toEqual({
    blocks: [
      { kind: 'prose', text: 'Eins & zwei drei &valueOf; &toString;' },
      { kind: 'heading', level: 2, text: 'Vier' },
      { kind: 'prose', text: 'Fünf' },
      { kind: 'prose', text: 'Sechs' },
      { kind: 'prose', text: 'Sieben kein Link' },
      { kind: 'other', text: 'Acht' },
      { kind: 'prose', text: '5 < 6 <' },
    ],
    links: [{ href: '/a', isFollowed: false, text: 'Sieben' }],
    images: [{ alt: 'Bild "1"' }],
  });
  expect(parseContent('Ein Absatz.\n\nNoch einer.\nSeine zweite Zeile.').blocks.map(({ text }) => text)).toEqual([
    'Ein Absatz.',
    'Noch einer. Seine zweite Zeile.',
  ]);
});

test('names of Object members are not language codes', () => {
  for (const code of ['constructor', 'toString', '__proto__']) expect(languageRules(code)).toBeUndefined();
});

test('guesses the language of a text by its function words', () => {
  expect(guessLanguage('Der Griff ist aus Stahl und hält sehr lange.')).toBe('de');
  expect(guessLanguage('The handle is made of steel and it lasts.')).toBe('en');
  expect(guessLanguage('La poignée est en acier et elle dure.')).toBe('fr');
  expect(guessLanguage('TD-55')).toBeUndefined();
});
