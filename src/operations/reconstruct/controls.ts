/** Controls with which the caller of a reconstruction follows and stops it. */
export interface ReconstructControls {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?:
    | ((progress: { readonly done: number; readonly total: number; readonly session: string }) => void)
    | undefined;
}
