import { watch, type FSWatcher } from 'node:fs';

export interface FolderWatch {
  /**
   * Watches the entries of these from now on, and no others; not what is in folders below.
   * @param matters Whether an entry of a folder does; its name is empty where the system gives none.
   */
  begin(folders: readonly string[], matters: (folder: string, name: string) => boolean): void;
  /** Of the folders since then, as far as the system tells; `unknown` where it refuses to. */
  state(): 'same' | 'changed' | 'unknown';
}

/** Tells whether something in some folders may have changed, without a look at any file. Keeps no process from ending. */
export function watchFolders(): FolderWatch {
  let watchers: FSWatcher[] = [];
  let state: ReturnType<FolderWatch['state']> = 'unknown';
  let isRefused = false;
  const end = (): void => {
    for (const watcher of watchers) watcher.close();
    watchers = [];
  };
  return {
    begin: (folders, matters) => {
      if (isRefused) return;
      // One that has been removed and made again is another, which its watcher knows nothing of.
      end();
      state = 'same';
      try {
        for (const folder of folders) {
          const watcher = watch(folder, { persistent: false }, (_, name) => {
            if (state === 'same' && matters(folder, name ?? '')) state = 'changed';
          });
          // Its folder may be gone.
          watcher.on('error', () => (state = 'changed'));
          watchers.push(watcher);
        }
      } catch (error) {
        end();
        state = 'unknown';
        // There are more folders than it watches for a user. To ask it again would take from others what is left.
        isRefused = !(error instanceof Error && 'code' in error && error.code === 'ENOENT');
      }
    },
    state: () => state,
  };
}
