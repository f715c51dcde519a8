import { parsePhraseList, removeAccents, parseWordList, type LanguageRules } from './english.ts';

const FUNCTION_WORDS = parseWordList(`
  der die das den dem des ein eine einer eines einem einen kein keine keiner keines keinem keinen
  ich du er sie es wir ihr mich dich sich uns euch mir dir ihm ihnen ihn man
  mein meine meiner meines meinem meinen dein deine deiner deines deinem deinen sein seine seiner seines seinem seinen
  ihre ihrer ihres ihrem ihren unser unsere unserer unseres unserem unseren euer eure eurer eures eurem euren
  dieser diese dieses diesem diesen jener jene jenes jenem jenen jeder jede jedes jedem jeden alle aller alles allem allen
  welcher welche welches welchem welchen wer was wem wen wessen wo wie wann warum
  und oder aber denn sondern sowie als wenn weil dass ob damit obwohl während bis
  in im ins an am ans auf aus bei beim mit nach seit von vom zu zum zur durch für gegen ohne um über unter vor zwischen
  hinter neben außer innerhalb außerhalb statt trotz wegen ab pro je per
  bin bist ist sind seid war warst waren wart gewesen habe hast hat haben habt hatte hatten gehabt
  werde wirst wird werden werdet wurde wurden worden kann kannst können könnt konnte konnten muss müssen musst
  soll sollen sollte sollten will wollen darf dürfen mag mögen möchte würde würden hätte hätten wäre wären
  nicht auch nur noch schon sehr so hier dort da dann nun mehr etwa bereits immer ganz gar
`);

const TRANSITIONS = parsePhraseList(`
  aber, abschließend, allerdings, also, andererseits, anschließend, außerdem, bevor, beispielsweise, bis dahin, da, dabei
  dadurch, dafür, dagegen, daher, damit, danach, daneben, dann, darüber hinaus, darum, das heißt, davor, dazu, dementsprechend
  demnach, dennoch, denn, deshalb, desto, deswegen, doch, ebenfalls, ebenso, einerseits, endlich, entsprechend, erstens
  zweitens, drittens, falls, ferner, folglich, gleichzeitig, hierbei, hierdurch, hierfür, hingegen, im gegensatz dazu
  im vergleich dazu, indem, infolgedessen, insbesondere, insgesamt, jedoch, kurz gesagt, kurzum, mit anderen worten, nachdem
  nämlich, nicht nur, nichtsdestotrotz, obwohl, obgleich, ob, schließlich, schließlich, seitdem, so dass, sodass, sobald
  solange, somit, sondern, sonst, sowohl, statt dessen, stattdessen, trotzdem, überdies, um zu, vielmehr, vor allem, während
  währenddessen, weder, weil, weiterhin, wenn, wie oben, wohingegen, zudem, zuerst, zuletzt, zum beispiel, zum einen
  zum schluss, zumal, zunächst, zusammenfassend, zusätzlich, zuvor, zwar, entweder, auf diese weise, aus diesem grund
  in der folge, im folgenden, im übrigen, je nachdem, z b, d h, auch wenn, als nächstes, zu guter letzt
`);

const AUXILIARIES = parseWordList(
  'werde wirst wird werden werdet wurde wurdest wurden wurdet würde würdest würden würdet worden',
);

/** Participles in `-en` of verbs without `ge-`. A pattern would also match infinitives, which form the future tense. */
const STRONG = parseWordList(`
  beschrieben betrieben verschrieben vertrieben unterschrieben überschrieben bewiesen erwiesen verwiesen unterwiesen
  verbunden entbunden gebunden erfunden empfunden befunden überwunden verschwunden begonnen gewonnen
  beschlossen verschlossen erschlossen entschlossen vergossen übergossen genossen verschoben erhoben behoben
  entnommen übernommen vernommen unternommen benommen bestochen besprochen versprochen entsprochen unterbrochen zerbrochen
  verboten geboten angeboten überboten verloren erkoren verworfen entworfen unterworfen verdorben erworben beworben
  gegriffen ergriffen begriffen beschnitten zerschnitten verschlissen zerrissen entschieden unterschieden vermieden
  betroffen übertroffen empfohlen befohlen gestohlen verborgen geborgen verstanden bestanden entstanden gestanden
  verliehen beliehen verziehen bezogen überzogen entzogen verbogen gebogen gewogen erwogen abgewogen
  überschritten bestritten unterstrichen verglichen ausgeglichen gestrichen bestrichen
  versunken getrunken gezwungen bezwungen verschlungen gelungen
`);

/** Words with `ge` that are not participles. */
const NON_PARTICIPLES = parseWordList(`
  geben gehen gelten gehören gelangen gelingen genügen genießen gestatten gewähren gewährleisten gewinnen geschehen gefallen
  gebrauchen gedenken gestalten gebieten geraten gern gerne gegen gegenüber genug gesamt gesamten gemeinsamen geeigneten
  gestern gerecht gerechten gelegentlich gut gleichen gekonnt gebiet geht gibt gilt gehört gelangt genügt gewinnt
  gelingt bereit bekannt beliebt berühmt geeignet gewohnt überhaupt getrennten gesonderten gewissen gewünschten gesunden genauen geringen großen guten grünen glatten gelben
  grauen geschäft gerät gewicht gesicht gericht gebäuden
`);

const SEPARABLE =
  '(?:ab|an|auf|aus|bei|dar|durch|ein|fest|fort|frei|her|hin|los|mit|nach|um|vor|weg|weiter|wieder|zu|zurück|zusammen)';
const WITH_GE = new RegExp(`^${SEPARABLE}?ge\\p{Ll}{2,}(?:t|en)$`, 'u');
const WITH_PREFIX = new RegExp(
  `^${SEPARABLE}?(?:be|ent|er|ver|zer|emp|miss|über|unter|hinter|wider)\\p{Ll}{3,}t$`,
  'u',
);
const FOREIGN = /\p{Ll}iert$/u;

function isParticiple(word: string): boolean {
  // Nouns start with a capital letter.
  if (!/^\p{Ll}/u.test(word) || NON_PARTICIPLES.has(word)) return false;
  return STRONG.has(word) || WITH_GE.test(word) || WITH_PREFIX.test(word) || FOREIGN.test(word);
}

const ENDINGS = ['ern', 'em', 'en', 'er', 'es', 'e'] as const;

/** Removes umlauts and up to two declension endings. */
function stem(word: string): string {
  let rest = removeAccents(word);
  for (let round = 0; round < 2; round++) {
    const ending =
      ENDINGS.find((ending) => rest.endsWith(ending)) ??
      (/[bdfghklmnrt]s$/.test(rest) ? 's' : /[lr]n$/.test(rest) ? 'n' : undefined);
    if (ending === undefined || rest.length - ending.length < 3) break;
    rest = rest.slice(0, -ending.length);
  }
  return rest;
}

/** Vowels and diphthongs. */
const VOWELS = /aa|ai|au|äu|ee|ei|eu|ie|oo|[aeiouyäöüàáâéèêíîóôúû]/g;

export const GERMAN: LanguageRules = {
  functionWords: FUNCTION_WORDS,
  transitions: TRANSITIONS,
  weakBeginnings: parseWordList(
    'der die das den dem des ein eine einen einem einer eines dieser diese dieses diesen diesem',
  ),
  abbreviations: parseWordList(
    'bzw ca abb abs art bspw evtl ggf inkl exkl max min mind nr pos str tel usw vgl zzgl zzt dr prof hrsg u.a z.b d.h u.u i.d.r o.ä s.o s.u st bd jh ff',
  ),
  hasOrdinalStops: true,
  splitsAtApostrophes: false,
  stem,
  syllables: (word) => Math.max(1, word.match(VOWELS)?.length ?? 0),
  // Amstad 1978: Flesch's formula for German.
  readingEase: (wordsPerSentence, syllablesPerWord) => 180 - wordsPerSentence - 58.5 * syllablesPerWord,
  isPassive: (clause) => clause.some((word) => AUXILIARIES.has(word.toLowerCase())) && clause.some(isParticiple),
};
