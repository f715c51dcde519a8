import { watch, type FSWatcher } from 'node:fs';

export interface FolderWatch {
  /**
   * Watches the entries of these from now on, and no others; not what is in folders below.
   * @param matters Whether an entry of a folder does; its name is empty where the system gives none.
   */
  begin(folders: readonly string[], matters: (folder: string, name: string) => boolean): void;
  /** Of the folders since then; `unknown` where the system doesn't tell of changes, or not of all. */
  state(): 'same' | 'changed' | 'unknown';
}

/** Tells whether something in some folders may have changed, without a look at any file. Keeps no process from ending. */
export function watchFolders(): FolderWatch {
  let watchers: FSWatcher[] = [];
  let state: ReturnType<FolderWatch['state']> = 'unknown';
  const end = (): void => {
    for (const watcher of watchers) watcher.close();
    watchers = [];
  };
  const giveUp = (): void => {
    end();
    state = 'unknown';
  };
  return {
    begin: (folders, matters) => {
      // One that has been removed and made again is another, which its watcher knows nothing of.
      end();
      state = 'same';
      try {
        for (const folder of folders) {
          const watcher = watch(folder, { persistent: false }, (_, name) => {
            if (state === 'same' && matters(folder, name ?? '')) state = 'changed';
          });
          watcher.on('error', giveUp);
          watchers.push(watcher);
        }
      } catch {
        // There may be more folders than the system watches for a user.
        giveUp();
      }
    },
    state: () => state,
  };
}
