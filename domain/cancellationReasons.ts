import type { CancellationReason } from './entities'

/** Returns the list with every value equal to its position, as each save stores it. */
export const renumberReasons = (
  reasons: readonly Pick<CancellationReason, 'label'>[],
): CancellationReason[] => reasons.map(({ label }, value) => ({ label, value }))

/** Adds a reason at the end; its value is the list's length. */
export const addReason = (
  reasons: readonly CancellationReason[],
  label: string,
): CancellationReason[] => [...reasons, { label, value: reasons.length }]

/** Removes the reason with this value and renumbers the list. */
export const removeReason = (
  reasons: readonly CancellationReason[],
  value: number,
): CancellationReason[] => renumberReasons(reasons.filter((reason) => reason.value !== value))

/** Returns the list with one reason's text changed. */
export const relabelReason = (
  reasons: readonly CancellationReason[],
  value: number,
  label: string,
): CancellationReason[] =>
  reasons.map((reason) => (reason.value === value ? { ...reason, label } : reason))
