/** The file store. */
export interface FilesPort {
  /** Removes everything under a folder; nothing happens when it is empty. */
  removeFolder(prefix: string): Promise<void>
}
