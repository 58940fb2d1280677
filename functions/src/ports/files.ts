import type { FileUsage } from '~/domain/data/storageFiles'

/** A file in the store. */
export interface StoredFile {
  name: string
  /** ms */
  createdAt: number
  /** Bytes. */
  size: number
}

/** The properties of a file that storage.rules judge at its upload. */
export interface FileProperties {
  contentType: string
  /** Bytes. */
  size: number
}

/** The file store. */
export interface FilesPort {
  /**
   * Lists at most `most` files of a folder, by default of the whole store, in order, after the
   * cursor from the previous page. Start with null; a `next` of null means the end.
   */
  listPage(
    cursor: string | null,
    most: number,
    folder?: string,
  ): Promise<{ page: StoredFile[]; next: string | null }>
  /** Returns the properties of a file, or null when it does not exist. */
  find(name: string): Promise<FileProperties | null>
  /** Returns the number and size of the files in a folder; it may stop at 1,000 files. */
  measureFolder(prefix: string): Promise<FileUsage>
  /** Copies a file with its download token. Returns false when it does not exist. */
  copy(from: string, to: string): Promise<boolean>
  /** Removes one file. Does nothing when it does not exist. */
  remove(name: string): Promise<void>
  /** Removes everything in a folder. Does nothing when it is empty. */
  removeFolder(prefix: string): Promise<void>
}
