import {
  type FirebaseStorage,
  connectStorageEmulator,
  getDownloadURL,
  getStorage,
  ref,
  uploadBytes,
  uploadBytesResumable,
} from 'firebase/storage'
import { config } from '../config'
import { onceMade } from '../onceMade'
import { RESUMABLE_ABOVE, ServiceError, type StoragePort } from '../services'
import { firebaseApp } from './app'
import { firebaseAuth } from './auth'

const firebaseStorage = onceMade(async (): Promise<FirebaseStorage> => {
  const { emulators } = await config()
  const storage = getStorage(await firebaseApp())
  storage.maxOperationRetryTime = 120_000
  storage.maxUploadRetryTime = 600_000
  if (emulators) connectStorageEmulator(storage, emulators.storage.host, emulators.storage.port)
  await (await firebaseAuth()).authStateReady()
  return storage
})

export const storagePort: StoragePort = {
  async upload(path, file, onProgress) {
    try {
      const target = ref(await firebaseStorage(), path)
      if (file.size > RESUMABLE_ABOVE) {
        const task = uploadBytesResumable(target, file)
        task.on('state_changed', (s) => onProgress?.(s.bytesTransferred / s.totalBytes))
        await task
      } else {
        await uploadBytes(target, file)
        onProgress?.(1)
      }
      return await getDownloadURL(target)
    } catch (error) {
      const code = (error as { code?: string }).code ?? 'storage/unknown'
      throw new ServiceError(
        code,
        code === 'storage/unauthorized' ? 'not_allowed' : 'upload_failed',
      )
    }
  },
}
