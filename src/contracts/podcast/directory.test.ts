import { describe, expect, it } from 'vitest';
import {
  displayLanguage,
  parseDisplayLanguage,
  podcastLanguage,
  parseDisplayCategory,
  directoryCategory,
  displayCategory,
  podcastCategory,
} from './record.ts';

describe('a category', () => {
  it.each([
    ['Technology', 'Technology'],
    ['Fashion and Beauty', 'Arts > Fashion & Beauty'],
    ['How To', 'Education > How To'],
    ['Stand-Up', 'Comedy > Stand-Up'],
    ['Health and Fitness', 'Health & Fitness'],
    ['Medicine', 'Health & Fitness > Medicine'],
    ['Earth Sciences', 'Science > Earth Sciences'],
    ['After Shows', 'TV & Film > After Shows'],
    [undefined, ''],
  ])('written as %s is answered as "%s"', (name, display) => {
    expect(displayCategory(name)).toBe(display);
  });

  it('is one of 110, each with an answer of its own', () => {
    const names = podcastCategory.options;
    expect(names).toHaveLength(110);
    expect(names.map((name) => parseDisplayCategory(displayCategory(name)))).toEqual(names);
  });

  it('has the name of a directory, with the one above it', () => {
    expect(directoryCategory('Pets and Animals')).toEqual({ top: 'Kids & Family', leaf: 'Pets & Animals' });
    expect(directoryCategory('True Crime')).toEqual({ top: 'True Crime' });
  });

  it.each(['', 'Walls', '01-01', 'Fashion & Beauty', 'arts', 'constructor'])('is not %j', (name) => {
    expect(podcastCategory.safeParse(name).success).toBe(false);
    expect(directoryCategory(name)).toBeUndefined();
  });
});

describe('a language', () => {
  it.each([
    ['de', 'German'],
    ['de-CH', 'German - Switzerland'],
    ['en-GB', 'English - United Kingdom'],
    ['en-US', 'English - United States'],
    ['zh-CN', 'Chinese - China'],
    ['zh-CHS', 'Chinese (Simplified)'],
    ['pt-BR', 'Portuguese - Brazil'],
    ['az-AZ-Latn', 'Azeri (Latin) - Azerbaijan'],
    ['nb-NO', 'Norwegian (Bokmål) - Norway'],
    [undefined, ''],
  ])('written as %s is answered as "%s"', (code, display) => {
    expect(displayLanguage(code)).toBe(display);
  });

  it('is one of 202, each with an answer of its own', () => {
    const codes = podcastLanguage.options;
    expect(codes).toHaveLength(202);
    expect(codes.map((code) => parseDisplayLanguage(displayLanguage(code)))).toEqual(codes);
  });

  it.each(['', 'DE', 'German', 'xx-YY', 'zh', 'nb', 'sr', 'constructor'])('is not %j', (code) => {
    expect(podcastLanguage.safeParse(code).success).toBe(false);
  });
});
