import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { safeParse } from 'valibot'
import type { BookingProblems } from '~/domain/booking/bookingProblems'
import { type DomainError, domainError } from '~/domain/api/errors'
import { guestForm } from '~/domain/forms/userForms'
import { findCaller } from '~/src/features/calls/calls'
import { useAppDispatch } from '~/src/store/hooks'
import type { PickedPerson } from '../people/UserPicker'

export interface Guest {
  name: string
  mobile: string
}

/** Returns the problems of a caller without an account. */
const getGuestProblems = (guest: Guest): BookingProblems => {
  const { issues = [] } = safeParse(guestForm, guest)
  return Object.fromEntries(
    issues.map(({ message, path }) => {
      const field = `guest.${String(path?.[0]?.key)}`
      return [field, domainError(message as DomainError['key'], field)]
    }),
  )
}

/**
 * Holds the person for whom an admin books: a rider or a guest without an account. `calling` is the
 * number of the person whose call opened the form.
 */
export const useCaller = (calling: string | null) => {
  const dispatch = useAppDispatch()
  const [chosenRider, setRider] = useState<PickedPerson | null>(null)
  const [isGuest, setIsGuest] = useState(false)
  const [guest, setGuest] = useState<Guest>({ name: '', mobile: '' })
  const nameField = useRef<HTMLInputElement>(null)
  /** Number of times that an unknown number opened the fields of a guest. */
  const [newNumbers, setNewNumbers] = useState(0)
  useEffect(() => {
    if (newNumbers > 0) nameField.current?.focus()
  }, [newNumbers])
  const takeNewNumber = (mobile: string) => {
    setIsGuest(true)
    setGuest({ name: '', mobile })
    setNewNumbers((count) => count + 1)
  }
  const takeCaller = useEffectEvent((person: PickedPerson | null, mobile: string) =>
    person?.usertype === 'rider' ? setRider(person) : takeNewNumber(mobile),
  )
  useEffect(() => {
    if (calling === null) return
    let isWanted = true
    dispatch(findCaller.quiet({ mobile: calling }))
      .unwrap()
      .then(
        ({ person }) => isWanted && takeCaller(person, calling),
        // The server finds the person by this number when the form is sent.
        () => isWanted && takeCaller(null, calling),
      )
    return () => {
      isWanted = false
    }
  }, [calling, dispatch])
  const rider = isGuest ? null : chosenRider
  return {
    /** Null while a guest is booked for. */
    rider,
    isGuest,
    guest,
    nameField,
    isTouched: Boolean(chosenRider || guest.name || guest.mobile),
    /** The customer whom the checks know. */
    customer: isGuest ? { usertype: 'rider' as const, mobile: guest.mobile } : (rider ?? undefined),
    problems: isGuest ? getGuestProblems(guest) : {},
    /** The fields of the request that name the person. */
    request: isGuest ? { guest } : rider ? { customer: rider.id } : {},
    setRider,
    setIsGuest,
    setGuest,
    takeNewNumber,
  }
}
export type Caller = ReturnType<typeof useCaller>
