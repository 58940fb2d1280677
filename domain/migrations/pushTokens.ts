import type { RowChange } from './migration'

/**
 * Removes registrations that only say which account has a token. The profile still names the token
 * and receives pushes; the app's next start registers the device with all its fields.
 */
export const dropBareRegistrations: RowChange = {
  collections: ['push_tokens'],
  apply: (row) => (typeof row.push_tokens === 'string' ? { push_tokens: null } : row),
}
