// Finds folders that no other user can write to. Plain JavaScript without anything newer than Node 14: bin/mneme needs
// it before code is compiled and before it knows whether this Node is recent enough.
import { chmodSync, existsSync, lstatSync, mkdirSync, realpathSync } from 'node:fs';
import path from 'node:path';

const STICKY = 0o1000;
const WRITABLE_BY_OTHERS = 0o022;
const OPEN_TO_OTHERS = 0o077;

/**
 * The folder for compiled code. Never in a home: one that was copied from elsewhere could bring code along. Undefined
 * where only a relative path is known: the current folder may be such a copy.
 *
 * @param {Record<string, string | undefined>} environment
 * @param {string} userHome
 * @returns {string | undefined}
 */
export function compileCacheFolder(environment, userHome, platform = process.platform) {
  const named = platform === 'win32' ? environment.LOCALAPPDATA : environment.XDG_CACHE_HOME;
  const usual = { win32: 'AppData/Local', darwin: 'Library/Caches' }[platform] || '.cache';
  const base = named && path.isAbsolute(named) ? named : path.join(userHome, usual);
  return path.isAbsolute(base) ? path.join(base, 'mneme', 'compiled') : undefined;
}

/**
 * Says why other users could put something into a folder, or make another folder of it; undefined when they cannot. A
 * folder that does not exist yet is judged by the folders above it. Windows has neither owners nor modes here: the
 * folders of a user are closed to others by their access lists.
 *
 * @param {string} folder
 * @returns {string | undefined}
 */
export function whyNotPrivate(folder, userId = process.getuid && process.getuid()) {
  const own = lstatSync(folder, { throwIfNoEntry: false });
  if (own && !own.isDirectory()) return `${folder} is not a folder`;
  if (userId === undefined) return undefined;
  if (own && own.uid !== userId) return `${folder} belongs to another user`;
  if (own && own.mode & WRITABLE_BY_OTHERS) return `other users can write to ${folder}`;
  return whyNotSafe(path.dirname(folder), userId);
}

/**
 * The same for a folder in which others may have folders of their own, as in the one for temporary files.
 *
 * @param {string} folder
 * @returns {string | undefined}
 */
export function whyNotSafe(folder, userId = process.getuid && process.getuid()) {
  if (userId === undefined) return undefined;
  let there = path.resolve(folder);
  while (!existsSync(there)) there = path.dirname(there);
  // Both ways: whoever can replace a link on the way changes where it leads.
  return findForeign(path.resolve(folder), userId) || findForeign(realpathSync(there), userId);
}

/**
 * @param {string} folder
 * @param {number} userId
 * @returns {string | undefined}
 */
function findForeign(folder, userId) {
  const stat = lstatSync(folder, { throwIfNoEntry: false });
  if (stat && stat.uid !== userId && stat.uid !== 0) return `${folder} belongs to another user`;
  const isOpen = stat && !stat.isSymbolicLink() && stat.mode & WRITABLE_BY_OTHERS && !(stat.mode & STICKY);
  if (isOpen) return `other users can write to ${folder}`;
  const above = path.dirname(folder);
  return above === folder ? undefined : findForeign(above, userId);
}

/**
 * Makes a folder that only this user can enter. Says why there is none; undefined when there is.
 *
 * @param {string} folder
 * @returns {string | undefined}
 */
export function makePrivateFolder(folder) {
  try {
    const trouble = whyNotPrivate(folder);
    if (trouble !== undefined) return trouble;
    const stat = lstatSync(folder, { throwIfNoEntry: false });
    if (stat === undefined) mkdirSync(folder, { recursive: true, mode: 0o700 });
    else if (process.platform !== 'win32' && stat.mode & OPEN_TO_OTHERS) chmodSync(folder, 0o700);
    // Another user may have been faster.
    return stat === undefined ? whyNotPrivate(folder) : undefined;
  } catch (error) {
    if (typeof error.code !== 'string') throw error;
    return `${folder} cannot be used (${error.code})`;
  }
}
