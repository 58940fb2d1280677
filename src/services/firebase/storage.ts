import type { User } from 'firebase/auth'
import {
  type FirebaseStorage,
  connectStorageEmulator,
  getDownloadURL,
  getStorage,
  ref,
  uploadBytes,
  uploadBytesResumable,
} from 'firebase/storage'
import { loadConfig } from '../config'
import { lazySingleton } from '../lazySingleton'
import { RESUMABLE_ABOVE, ServiceError, type StoragePort } from '../services'
import { getFirebaseApp } from './app'
import { getFirebaseAuth } from './auth'
import { functionsPort } from './functions'

const getFirebaseStorage = lazySingleton(async (): Promise<FirebaseStorage> => {
  const { emulators } = await loadConfig()
  const storage = getStorage(await getFirebaseApp())
  storage.maxOperationRetryTime = 120_000
  storage.maxUploadRetryTime = 600_000
  if (emulators) connectStorageEmulator(storage, emulators.storage.host, emulators.storage.port)
  await (await getFirebaseAuth()).authStateReady()
  return storage
})

const readTokenRole = async (user: User, renewed: boolean): Promise<unknown> =>
  (await user.getIdTokenResult(renewed)).claims['role']

/**
 * Refreshes the token so that it has the person's current role, which the storage rules check.
 * ensure_profile writes the role as a claim for the next token. Returns true when the role has
 * changed.
 */
const refreshTokenRole = async (user: User): Promise<boolean> => {
  const before = await readTokenRole(user, false)
  await functionsPort.call('ensure_profile', {})
  return (await readTokenRole(user, true)) !== before
}

/**
 * Makes sure that the token has a role. It lacks one when the account is older than the claim or
 * was approved a moment ago.
 */
const ensureTokenRole = async (user: User): Promise<void> => {
  const role = await readTokenRole(user, false)
  if (typeof role !== 'string' || role === 'none') await refreshTokenRole(user)
}

const uploadFile = async (
  path: string,
  file: Blob,
  onProgress?: (share: number) => void,
): Promise<string> => {
  try {
    const target = ref(await getFirebaseStorage(), path)
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
    throw new ServiceError(code, code === 'storage/unauthorized' ? 'not_allowed' : 'upload_failed')
  }
}

const isNotAllowed = (error: unknown): boolean =>
  error instanceof ServiceError && error.domainError.key === 'not_allowed'

export const storagePort: StoragePort = {
  async upload(path, file, onProgress) {
    const { currentUser } = await getFirebaseAuth()
    if (!currentUser) return uploadFile(path, file, onProgress)
    await ensureTokenRole(currentUser)
    try {
      return await uploadFile(path, file, onProgress)
    } catch (error) {
      // After confirming a sign-up as a driver, a rider keeps the old role in the token for up to
      // an hour.
      if (!isNotAllowed(error) || !(await refreshTokenRole(currentUser).catch(() => false)))
        throw error
      return uploadFile(path, file, onProgress)
    }
  },
  uploadAtSignUp: (uid, file) => uploadFile(`users/${uid}/licenseImage`, file),
}
