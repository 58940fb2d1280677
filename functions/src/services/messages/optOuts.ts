import { internalPaths } from '~/domain/data/internalPaths'
import { hashWithSalt } from '../../config'
import { WriteConflictError } from '../../ports/database'
import type { Ports } from '../../ports/ports'
import type { MessageOptOut } from '~/domain/messages/types'

const MAX_TRIES = 8

/** Returns the hash under which the opt-out of a phone number or an e-mail address is stored. */
export const hashAddress = (address: string, config: Ports['config']): string =>
  hashWithSalt(address.trim().toLowerCase(), config)

/** Stores or removes an opt-out; a repeat changes nothing. `at` in ms. */
export const setOptOut = async (
  { db, config }: Pick<Ports, 'db' | 'config'>,
  { address, isOptedOut, why }: { address: string; isOptedOut: boolean; why: MessageOptOut['why'] },
  at: number,
): Promise<void> => {
  const path = internalPaths.messageOptOut(hashAddress(address, config))
  for (let tries = 1; ; tries++) {
    const existingOptOut = await db.read<MessageOptOut>(path)
    if ((existingOptOut !== null) === isOptedOut) return
    const optOut: MessageOptOut = { at, why, revision: 1 }
    try {
      await db.update({ [path]: isOptedOut ? { ...optOut } : null })
      return
    } catch (error) {
      if (!(error instanceof WriteConflictError) || tries >= MAX_TRIES) throw error
    }
  }
}
