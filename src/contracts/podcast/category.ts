import { z } from 'zod';

/**
 * Categories of podcast directories (https://podcasters.apple.com/support/1691-apple-podcasts-categories), top ones
 * with those below them, as callers write them.
 */
const CATEGORIES = {
  Arts: ['Design', 'Fashion and Beauty', 'Food', 'Books', 'Performing Arts', 'Visual Arts'],
  Business: ['Careers', 'Investing', 'Management', 'Entrepreneurship', 'Marketing', 'Non-Profit'],
  Comedy: ['Comedy Interviews', 'Improv', 'Stand-Up'],
  Education: ['Language Learning', 'Courses', 'How To', 'Self-Improvement'],
  Fiction: ['Comedy Fiction', 'Drama', 'Science Fiction'],
  Government: [],
  History: [],
  'Health and Fitness': ['Alternative Health', 'Fitness', 'Sexuality', 'Medicine', 'Mental Health', 'Nutrition'],
  'Kids and Family': ['Education for Kids', 'Parenting', 'Pets and Animals', 'Stories for Kids'],
  Leisure: [
    'Animation and Manga',
    'Automotive',
    'Aviation',
    'Crafts',
    'Games',
    'Hobbies',
    'Home and Garden',
    'Video Games',
  ],
  Music: ['Music Commentary', 'Music History', 'Music Interviews'],
  News: [
    'Business News',
    'Daily News',
    'Entertainment News',
    'News Commentary',
    'Politics',
    'Sports News',
    'Tech News',
  ],
  'Religion and Spirituality': ['Buddhism', 'Christianity', 'Hinduism', 'Islam', 'Judaism', 'Religion', 'Spirituality'],
  Science: [
    'Natural Sciences',
    'Social Sciences',
    'Astronomy',
    'Chemistry',
    'Earth Sciences',
    'Life Sciences',
    'Mathematics',
    'Nature',
    'Physics',
  ],
  'Society and Culture': ['Personal Journals', 'Philosophy', 'Places and Travel', 'Relationships', 'Documentary'],
  Sports: [
    'Baseball',
    'Basketball',
    'Cricket',
    'Fantasy Sports',
    'Football',
    'Golf',
    'Hockey',
    'Rugby',
    'Running',
    'Soccer',
    'Swimming',
    'Tennis',
    'Volleyball',
    'Wilderness',
    'Wrestling',
  ],
  Technology: [],
  'True Crime': [],
  'TV and Film': ['After Shows', 'Film History', 'Film Interviews', 'Film Reviews', 'TV Reviews'],
} as const;

/** A category as directories name it. */
export interface DirectoryCategory {
  top: string;
  /** The one below it. */
  leaf?: string;
}

const directoryName = (name: string): string => name.replaceAll(' and ', ' & ');

const BY_NAME: ReadonlyMap<string, DirectoryCategory> = new Map(
  Object.entries(CATEGORIES).flatMap(([top, leaves]): [string, DirectoryCategory][] => [
    [top, { top: directoryName(top) }],
    ...leaves.map((leaf): [string, DirectoryCategory] => [
      leaf,
      { top: directoryName(top), leaf: directoryName(leaf) },
    ]),
  ]),
);

const BY_DISPLAY: ReadonlyMap<string, string> = new Map(
  [...BY_NAME].map(([name, category]) => [displayed(category), name]),
);

/** A category as callers write it: its own name alone. */
export const podcastCategory = z.enum([...BY_NAME.keys()]);

/** How a directory, or a feed for it, names a category; undefined for a name that is none. */
export function directoryCategory(name: string): DirectoryCategory | undefined {
  return BY_NAME.get(name);
}

/** A category as it is answered: `Arts > Fashion & Beauty`, empty for none. */
export function displayCategory(name: string | undefined): string {
  const category = name === undefined ? undefined : BY_NAME.get(name);
  return category ? displayed(category) : '';
}

/** The name by which an answered category is written; undefined for the empty text and for others. */
export function categoryOfDisplay(display: string): string | undefined {
  return BY_DISPLAY.get(display);
}

function displayed({ top, leaf }: DirectoryCategory): string {
  return leaf === undefined ? top : `${top} > ${leaf}`;
}
