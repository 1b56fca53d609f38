/** The part of an R2 bucket that the archive uses. */
export type ArchiveBucket = {
  /** null: no such object */
  get: (key: string) => Promise<{ arrayBuffer: () => Promise<ArrayBuffer> } | null>
  put: (key: string, value: ArrayBuffer) => Promise<unknown>
}
