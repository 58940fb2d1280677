import type { FilesPort } from '../../ports/files'
import { getFirebaseApp } from './firebaseDatabase'

const getBucket = async () => {
  const { getStorage } = await import('firebase-admin/storage')
  return getStorage(getFirebaseApp()).bucket()
}

const nullIfMissing = async <Result>(read: () => Promise<Result>): Promise<Result | null> => {
  try {
    return await read()
  } catch (error) {
    if ((error as { code?: unknown }).code === 404) return null
    throw error
  }
}

/** Files in the project's default Cloud Storage bucket. */
export const firebaseFiles: FilesPort = {
  async listPage(cursor, most, folder) {
    const [files, query] = await (
      await getBucket()
    ).getFiles({
      autoPaginate: false,
      maxResults: most,
      ...(folder !== undefined && { prefix: folder }),
      ...(cursor !== null && { pageToken: cursor }),
    })
    const page = files.map(({ name, metadata }) => ({
      name,
      createdAt: Date.parse(String(metadata.timeCreated)),
      size: Number(metadata.size ?? 0),
    }))
    const { pageToken } = query ?? {}
    return { page, next: pageToken ?? null }
  },
  find: async (name) =>
    nullIfMissing(async () => {
      const [{ contentType = '', size = 0 }] = await (await getBucket()).file(name).getMetadata()
      return { contentType, size: Number(size) }
    }),
  async measureFolder(prefix) {
    const bucket = await getBucket()
    const [files] = await bucket.getFiles({ prefix, autoPaginate: false, maxResults: 1000 })
    const sizes = files.map(({ metadata }) => Number(metadata.size ?? 0))
    return { count: files.length, bytes: sizes.reduce((sum, size) => sum + size, 0) }
  },
  async copy(from, to) {
    const bucket = await getBucket()
    const copied = await nullIfMissing(() => bucket.file(from).copy(bucket.file(to)))
    return copied !== null
  },
  async remove(name) {
    await (await getBucket()).file(name).delete({ ignoreNotFound: true })
  },
  async removeFolder(prefix) {
    await (await getBucket()).deleteFiles({ prefix, force: true })
  },
}
