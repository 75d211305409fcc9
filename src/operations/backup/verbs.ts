import type { OperationContext } from '../context.ts';
import { runLater } from '../run-later.ts';
import type { BackupResult } from './create.ts';
import type { BackupInfo } from './list.ts';
import type { VerifiedBackup } from './verify.ts';

/** Copies of the home: `m.backup.create()`. Restoring needs no open home: `restoreBackup`. */
export class BackupVerbs {
  readonly #context: OperationContext;
  readonly #assertOpen: () => Promise<never> | undefined;

  constructor(context: OperationContext, assertOpen: () => Promise<never> | undefined) {
    this.#context = context;
    this.#assertOpen = assertOpen;
  }

  /** One whole file, with `encrypt` sealed, or with `incremental` what is new since the last such one. */
  async create(
    options: { readonly incremental?: boolean | undefined; readonly encrypt?: boolean | undefined } = {},
  ): Promise<BackupResult> {
    await this.#assertOpen();
    return runLater(async () => (await import('./create.ts')).createBackup, this.#context, options);
  }

  async list(): Promise<BackupInfo[]> {
    await this.#assertOpen();
    return runLater(async () => (await import('./list.ts')).listBackups, this.#context, {});
  }

  /** The newest one when none is named. */
  async verify(file?: string): Promise<VerifiedBackup> {
    await this.#assertOpen();
    return runLater(async () => (await import('./verify.ts')).checkBackup, this.#context, { file });
  }
}
