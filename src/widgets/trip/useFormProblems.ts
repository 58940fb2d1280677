import { useState } from 'react'
import type { BookingProblems } from '~/domain/booking/bookingProblems'
import type { DomainError } from '~/domain/api/errors'

/**
 * The parts of a booking that a form can submit: the trip, whose price is then known, or the whole
 * booking.
 */
export type Part = 'trip' | 'booking'

/**
 * Returns the field of a refusal. The server may name a part of it, such as pickup.add; the fields
 * of a guest are parts themselves.
 */
export const getRefusedField = ({ field }: DomainError) =>
  field?.startsWith('guest.') ? field : field?.split('.')[0]

/**
 * Holds the problems that a form shows: those of its last refused submission, each until it is
 * corrected, and the refusal of the server.
 */
export const useFormProblems = (findProblems: (part: Part, now: number) => BookingProblems) => {
  /** The last refused submission, and the number of them. */
  const [attempt, setAttempt] = useState<{ part: Part; at: number } | null>(null)
  const [refusals, setRefusals] = useState(0)
  const [refused, setRefused] = useState<DomainError | null>(null)
  const problems = attempt ? findProblems(attempt.part, attempt.at) : {}
  const countRefusal = () => setRefusals((count) => count + 1)
  const shownProblems = {
    problems,
    refused,
    /** Changes with every refusal, so that the form focuses its first invalid field. */
    refusals,
    /** Returns the problem of a field. */
    problemAt: (field: string): DomainError | undefined =>
      problems[field] ?? (refused && getRefusedField(refused) === field ? refused : undefined),
    clearRefusal: () => setRefused(null),
    clearProblems: () => {
      setAttempt(null)
      setRefused(null)
    },
  }
  /** Returns true when a part has no problems; shows them otherwise. */
  const check = (part: Part): boolean => {
    const at = Date.now()
    const isValid = Object.keys(findProblems(part, at)).length === 0
    setAttempt(isValid ? null : { part, at })
    return isValid
  }
  const refuse = (refusal: DomainError) => {
    setRefused(refusal)
    countRefusal()
  }
  return { shownProblems, check, refuse, countRefusal }
}
