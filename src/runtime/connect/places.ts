import type { LogPlaces } from '../../platform/environment.ts';

/** Where the programs that can be connected keep their settings. */
export interface ClientPlaces extends LogPlaces {
  /** The folder that `--scope project` means. */
  readonly project: string;
  readonly platform: NodeJS.Platform;
  /** `PATH`, by which programs are found that have kept nothing yet. */
  readonly searchPath?: string | undefined;
}

export const CONNECT_SCOPES = ['user', 'project'] as const;
export type ConnectScope = (typeof CONNECT_SCOPES)[number];
