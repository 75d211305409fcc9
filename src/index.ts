/** Mneme as a library: `const m = await openMneme({ home })`. */
export { openMneme, Mneme, type OpenOptions } from './mneme.ts';
export { initHome, type InitInput, type Initialized } from './operations/home/init.ts';
export type { Remembered, RememberInput } from './operations/remember.ts';
export type { SessionHandle } from './operations/session/session.ts';
export { MnemeError, type ErrorCode } from './model/errors.ts';
