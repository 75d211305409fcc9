/** The types of private-folder.js, whose comments say what each function does. */
export declare function compileCacheFolder(
  environment: Readonly<Record<string, string | undefined>>,
  userHome: string,
  platform?: NodeJS.Platform,
): string | undefined;
export declare function whyNotPrivate(folder: string, userId?: number): string | undefined;
export declare function whyNotSafe(folder: string, userId?: number): string | undefined;
export declare function makePrivateFolder(folder: string): string | undefined;
