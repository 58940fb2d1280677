import type { FilesPort } from './files'
import { getFirebaseApp } from './firebaseDatabase'

const getBucket = async () => {
  const { getStorage } = await import('firebase-admin/storage')
  return getStorage(getFirebaseApp()).bucket()
}

/** Files in the project's default Cloud Storage bucket. */
export const firebaseFiles: FilesPort = {
  async listPage(cursor, most) {
    const [files, query] = await (
      await getBucket()
    ).getFiles({
      autoPaginate: false,
      maxResults: most,
      ...(cursor !== null && { pageToken: cursor }),
    })
    const page = files.map(({ name, metadata }) => ({
      name,
      createdAt: Date.parse(String(metadata.timeCreated)),
    }))
    const { pageToken } = query ?? {}
    return { page, next: pageToken ?? null }
  },
  async remove(name) {
    await (await getBucket()).file(name).delete({ ignoreNotFound: true })
  },
  async removeFolder(prefix) {
    await (await getBucket()).deleteFiles({ prefix, force: true })
  },
}
