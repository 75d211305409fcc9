/** A program that the operating system starts when its user logs in, and starts again when it fails. */

export const SERVICE_SYSTEMS = ['systemd', 'launchd', 'windows'] as const;
export type ServiceSystem = (typeof SERVICE_SYSTEMS)[number];

/** The common parts of every definition. */
export interface ServiceSpec {
  /** Names it among others: `mneme`, or `mneme-1f9a03c2` for a home that is not the usual one. */
  readonly name: string;
  readonly home: string;
  /** Program and leading arguments, absolute. */
  readonly command: readonly string[];
  /** The log folder of the home. */
  readonly logs: string;
}

export interface ServicePlaces {
  readonly userHome: string;
  readonly xdgConfig?: string | undefined;
  /** The user's number where the system has one, for launchd. */
  readonly userId?: number | undefined;
  /** `DOMAIN\\user`, for the task scheduler. */
  readonly userName?: string | undefined;
}

export interface ServiceFile {
  readonly path: string;
  readonly content: string;
  readonly encoding: 'utf8' | 'utf16le';
}

export interface ServiceCommand {
  readonly program: string;
  readonly args: readonly string[];
  /** Its purpose, for a user who is asked. */
  readonly why: string;
  /** True for one that starts or stops the daemon. */
  readonly affectsDaemon: boolean;
  /** True when its failure means nothing: what it undoes was not there. */
  readonly mayFail: boolean;
}

/** The form of a service in one operating system. */
export interface ServiceDefinition {
  readonly system: ServiceSystem;
  readonly title: string;
  readonly file: ServiceFile;
  readonly install: readonly ServiceCommand[];
  readonly start: readonly ServiceCommand[];
  readonly uninstall: readonly ServiceCommand[];
  /** Exits with 0 while the system considers it running. */
  readonly isActive: Omit<ServiceCommand, 'why' | 'affectsDaemon' | 'mayFail'>;
  /** Checks the file, where the program exists. */
  readonly validate: Omit<ServiceCommand, 'why' | 'affectsDaemon' | 'mayFail'> | undefined;
  readonly notes: readonly string[];
}

/** Stands in every file, so that nothing is replaced or removed that somebody else wrote. */
export const SERVICE_MARK = 'Written by mneme service install';

export function daemonArguments({ command, home }: ServiceSpec): string[] {
  return [...command, '--home', home, 'daemon'];
}
