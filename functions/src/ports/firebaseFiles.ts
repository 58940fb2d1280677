import type { FilesPort } from './files'
import { firebaseApp } from './firebaseDatabase'

/** Cloud Storage, the project's default bucket. */
export const firebaseFiles: FilesPort = {
  async removeFolder(prefix) {
    const { getStorage } = await import('firebase-admin/storage')
    await getStorage(firebaseApp()).bucket().deleteFiles({ prefix, force: true })
  },
}
