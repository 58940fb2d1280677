import type { ChoiceOption } from '~/domain/catalog/types'

/** Returns the index of a booked choice, or the first one when the list no longer has it. */
export const findChoice = (
  choices: readonly ChoiceOption[] = [],
  bookedDescription: string | undefined,
): number =>
  Math.max(
    0,
    choices.findIndex(({ description }) => description === bookedDescription),
  )
