import type { GlobalOptions } from '../cli.ts';

export interface ServeCommandOptions extends GlobalOptions {
  readonly port?: string;
  readonly host?: string;
  readonly allowHost?: readonly string[];
}

export interface DaemonCommandOptions extends ServeCommandOptions {
  readonly serve?: boolean;
}
