import type { CancelReason } from './entities'

/** The list with every value equal to its position, as each save leaves it. */
export const renumbered = (reasons: readonly Pick<CancelReason, 'label'>[]): CancelReason[] =>
  reasons.map(({ label }, value) => ({ label, value }))

/** A new reason at the end; its value is the list's length. */
export const withReason = (reasons: readonly CancelReason[], label: string): CancelReason[] => [
  ...reasons,
  { label, value: reasons.length },
]

/** The list without the reason of this value, numbered anew. */
export const withoutReason = (reasons: readonly CancelReason[], value: number): CancelReason[] =>
  renumbered(reasons.filter((reason) => reason.value !== value))

/** The list with one reason's text changed. */
export const withLabel = (
  reasons: readonly CancelReason[],
  value: number,
  label: string,
): CancelReason[] =>
  reasons.map((reason) => (reason.value === value ? { ...reason, label } : reason))
