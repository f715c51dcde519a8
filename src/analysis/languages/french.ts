import { parsePhraseList, removeAccents, parseWordList, type LanguageRules } from './english.ts';

const FUNCTION_WORDS = parseWordList(`
  le la les l un une des du de d au aux ce cet cette ces mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs
  je j tu il elle on nous vous ils elles me m te t se s lui y en qui que qu quoi dont où quel quelle quels quelles
  et ou mais donc or ni car si comme lorsque lorsqu quand puisque parce afin
  à dans par pour sur sous avec sans entre vers chez contre depuis pendant avant après dès jusque jusqu devant derrière
  être suis es est sommes êtes sont été étais était étaient sera seront serait avoir ai as a avons avez ont avait avaient eu
  aura auront faire fait font peut peuvent pouvez doit doivent ne n pas plus moins très aussi bien tout tous toute toutes
  même mêmes autre autres ici là alors c chaque plusieurs quelques aucun aucune
`);

const TRANSITIONS = parsePhraseList(`
  ainsi, alors, alors que, après, après avoir, à cause de, à condition, à condition que, à cet effet, à savoir, au contraire
  au lieu de, au final, au moins, aussi, autrement dit, avant, avant de, avant tout, bien que, bref, car, cependant
  c est à dire, c est pourquoi, c est ainsi, comme, d abord, d ailleurs, d autre part, d une part, d un côté, dans ce cas
  dans le cas, de même, de plus, de sorte, dès que, de ce fait, de cette manière, de cette façon, désormais, donc, du coup
  également, en bref, en cas, en conclusion, en conséquence, en d autres termes, en dehors, en effet, en fait, en outre
  en particulier, en premier lieu, en résumé, en revanche, en somme, enfin, ensuite, et puis, étant donné, finalement, grâce
  il en résulte, jusqu à ce que, lorsque, lorsqu, mais, malgré, même si, néanmoins, non seulement, notamment, or, or donc, ou bien
  outre, par ailleurs, par conséquent, par contre, par exemple, parce que, parce qu, pendant que, pour cela, pour cette raison
  pour conclure, pour que, pourtant, premièrement, puis, puisque, puisqu, quand, quant, quoique, sans quoi, sauf, si, s il, s ils, sinon
  soit, surtout, tandis que, tant que, toutefois, tout d abord, deuxièmement, troisièmement, afin de, afin que, afin d, plutôt
`);

const ETRE = parseWordList(`
  suis es est sommes êtes sont étais était étions étiez étaient sera seras serai serons serez seront serais serait seraient
  fut furent soit soient fût être été étant
`);

/** Verbs that form the past tense with `être`. */
const MOTION_VERBS = parseWordList(`
  allé venu arrivé parti entré rentré né mort resté tombé devenu revenu retourné parvenu intervenu provenu survenu apparu
`);

/** Past participles without `-é`, masculine singular. */
const IRREGULAR = parseWordList(`
  acquis admis aperçu appris assis atteint attendu battu bâti bu choisi compris conclu conçu confondu connu conquis construit
  contenu contraint convaincu couvert cru cuit cousu craint décrit découvert défendu défini déduit démis détenu détruit dû
  écrit élargi élu émis endormi enduit enfoui entendu établi éteint étendu exclu extrait fait fini fondu fourni garanti gravé
  inclus inscrit instruit interdit introduit joint lu maintenu mis moulu obtenu offert omis ouvert peint perçu perdu permis
  poli pourvu pourri prédit prescrit pris produit promis prévu puni réduit réfléchi rempli rendu répandu reconnu reçu recouvert
  réparti requis résolu restreint retenu réuni réussi rompu saisi satisfait servi séduit soumis soustrait soutenu souscrit suivi
  suspendu su teint tendu tenu tiré tordu traduit trahi transmis uni vaincu vendu verni vêtu voulu vu
`);

/** Adjectives and nouns in `-é`. */
const NON_PARTICIPLES = parseWordList(
  'côté qualité quantité sécurité clé degré marché carré âgé aisé situé été beauté santé',
);

/** Words that start a noun phrase. */
const STOPS = parseWordList(
  'le la les l un une des du de d au aux ce cet cette ces mon ma mes son sa ses notre nos votre vos leur leurs qui que qu dont et ou',
);
const MOST_WORDS_BETWEEN = 3;

function masculine(word: string): string {
  const singular = word.replace(/([eéiut])s$/, '$1');
  return singular.replace(/([éiust])e$/, '$1');
}

function isParticiple(word: string): boolean {
  const form = masculine(word);
  if (NON_PARTICIPLES.has(form) || MOTION_VERBS.has(form)) return false;
  return IRREGULAR.has(word) || IRREGULAR.has(form) || (form.length > 3 && form.endsWith('é'));
}

function isPassive(clause: readonly string[]): boolean {
  const words = clause.map((word) => word.toLowerCase());
  return words.some((word, at) => {
    const before = words[at - 1] ?? '';
    // With a reflexive pronoun it is the past tense: `s'est fermé`.
    if (!ETRE.has(word) || ['s', 'se', 'me', 'm', 'te', 't'].includes(before)) return false;
    for (const next of words.slice(at + 1, at + 2 + MOST_WORDS_BETWEEN)) {
      if (STOPS.has(next)) return false;
      if (!ETRE.has(next) && isParticiple(next)) return true;
    }
    return false;
  });
}

/** Removes accents and endings of plural and feminine forms. */
function stem(word: string): string {
  let rest = removeAccents(word);
  if (rest.length > 4 && rest.endsWith('aux')) rest = `${rest.slice(0, -3)}al`;
  else if (rest.length > 3 && /[sx]$/.test(rest)) rest = rest.slice(0, -1);
  for (let round = 0; round < 2 && rest.length > 4 && rest.endsWith('e'); round++) rest = rest.slice(0, -1);
  return rest;
}

const VOWELS = /eau|[aeo]i|au|ou|eu|œu|oi|ui|[aàâeéèêëiîïoôuùûüyœ]/g;

export const FRENCH: LanguageRules = {
  functionWords: FUNCTION_WORDS,
  transitions: TRANSITIONS,
  weakBeginnings: parseWordList('le la les l un une des ce cet cette ces'),
  abbreviations: parseWordList('env etc ex fig m mm mme mlle max min n no p.ex st ste tél cf art av boul dr'),
  hasOrdinalStops: false,
  splitsAtApostrophes: true,
  stem,
  syllables: (word) => Math.max(1, word.replace(/(.)(?:e|es|ent)$/, '$1').match(VOWELS)?.length ?? 0),
  // Kandel and Moles 1958: Flesch's formula for French.
  readingEase: (wordsPerSentence, syllablesPerWord) => 207 - 1.015 * wordsPerSentence - 73.6 * syllablesPerWord,
  isPassive,
};
