import { findModelFolder } from '../encoder/model-files.ts';
import { Judge } from './judge.ts';

let judge: Judge | undefined;

/** The model that comes with the package; loaded when something is first to be judged. */
export function packagedJudge(): Judge {
  judge ??= new Judge(findModelFolder());
  return judge;
}
