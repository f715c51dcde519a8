import type { Finding } from './finding.ts';
import { languageRules } from './languages/index.ts';
import type { Analysis, CheckId, Rating } from './types.ts';

const BEST = 9;

export function getRating(score: number): Rating {
  if (score === 0) return 'neutral';
  if (score < 5) return 'bad';
  return score < 8 ? 'ok' : 'good';
}

/** Share of the best possible sum in percent. Neutral findings don't count. */
function percentOf(findings: readonly Finding[]): number {
  const counted = findings.filter(({ score }) => score !== 0);
  const sum = counted.reduce((total, { score }) => total + score, 0);
  return counted.length === 0 ? 0 : Math.round((sum / (counted.length * BEST)) * 100);
}

/** Scores from 1 to 100, or 0 without a keyphrase. */
export function seoScore(findings: readonly Finding[], hasKeyphrase: boolean): number {
  return hasKeyphrase ? Math.max(1, Math.min(100, percentOf(findings))) : 0;
}

/** Scores one field of the head by its own checks. */
export function fieldScore(findings: readonly Finding[], checks: readonly CheckId[], text: string): number {
  if (text.trim() === '') return 0;
  return Math.max(1, percentOf(findings.filter(({ id }) => checks.includes(id))));
}

/** Scores 90 (good), 60 (ok), 30 (bad) or 0 (too little text). Languages with fewer checks weigh each of them more. */
export function readabilityScore(findings: readonly Finding[], language: string): Analysis['readability'] {
  const ratings = findings.map(({ score }) => getRating(score)).filter((rating) => rating !== 'neutral');
  if (ratings.length <= 1) return 0;
  const weights = languageRules(language) ? { bad: 3, most: 6, tolerated: 4 } : { bad: 4, most: 4, tolerated: 2 };
  const penalty = ratings.reduce((sum, rating) => sum + (rating === 'bad' ? weights.bad : rating === 'ok' ? 2 : 0), 0);
  if (penalty > weights.most) return 30;
  return penalty > weights.tolerated ? 60 : 90;
}
