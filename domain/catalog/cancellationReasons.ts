import type { CancellationReason } from './types'

type ReasonTexts = Pick<CancellationReason, 'label'> & {
  names?: CancellationReason['names'] | undefined
}
const toReasonTexts = ({
  label,
  names,
}: ReasonTexts): Pick<CancellationReason, 'label' | 'names'> => ({
  label,
  ...(names && { names }),
})

/** Returns the list with every value equal to its position, as each save stores it. */
export const renumberReasons = (reasons: readonly ReasonTexts[]): CancellationReason[] =>
  reasons.map((reason, value) => ({ ...toReasonTexts(reason), value }))

/** Adds a reason at the end; its value is the list's length. */
export const addReason = (
  reasons: readonly CancellationReason[],
  added: ReasonTexts,
): CancellationReason[] => [...reasons, { ...toReasonTexts(added), value: reasons.length }]

/** Removes the reason with this value and renumbers the list. */
export const removeReason = (
  reasons: readonly CancellationReason[],
  value: number,
): CancellationReason[] => renumberReasons(reasons.filter((reason) => reason.value !== value))

/** Returns the list with one reason's text and its translations changed. */
export const relabelReason = (
  reasons: readonly CancellationReason[],
  value: number,
  changed: ReasonTexts,
): CancellationReason[] =>
  reasons.map((reason) => (reason.value === value ? { ...toReasonTexts(changed), value } : reason))
