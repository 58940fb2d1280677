import type { TFunction } from 'i18next'
import type { findVariableFault } from '~/domain/messages/messageTexts'

/** Returns a sentence about the unknown variables of a message text. */
export const describeVariableFault = (
  fault: ReturnType<typeof findVariableFault>,
  t: TFunction,
): string | undefined => {
  if (!fault) return undefined
  const names = { unknown: fault.unknown.join(' '), allowed: fault.allowed.join(' ') }
  return t(fault.allowed.length > 0 ? 'unknown_variables' : 'no_variables_allowed', names)
}
