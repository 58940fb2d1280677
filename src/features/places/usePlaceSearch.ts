import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LatLng, Place } from '~/domain/entities'
import { useAppDispatch } from '~/src/store/hooks'
import { type Suggestion, fetchCoordsfromPlace, findPlaces } from './places'

/** How long typing must rest before places are looked for (specification 9). */
const DEBOUNCE_MS = 200
const MIN_LETTERS = 2

/** What is found for a typed text; `found` is null until something was looked for, `problem` the key of what went wrong. */
export const usePlaceSearch = (near: LatLng | null | undefined) => {
  const { i18n } = useTranslation()
  const dispatch = useAppDispatch()
  const [found, setFound] = useState<Suggestion[] | null>(null)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // Answers may overtake each other; only the one to the last question counts.
  const asked = useRef(0)
  // From the first letter to the chosen place: what a service may bill as one.
  const session = useRef('')
  useEffect(() => () => clearTimeout(timer.current), [])

  const forget = () => {
    clearTimeout(timer.current)
    asked.current += 1
    setFound(null)
    setBusy(false)
  }
  const look = (typed: string) => {
    setProblem(null)
    const searchKeyword = typed.trim()
    if (searchKeyword.length < MIN_LETTERS) return forget()
    clearTimeout(timer.current)
    const question = ++asked.current
    setBusy(true)
    session.current ||= crypto.randomUUID()
    timer.current = setTimeout(() => {
      dispatch(
        findPlaces({
          searchKeyword,
          language: i18n.language,
          sessionToken: session.current,
          quiet: true,
          ...(near && { near: { lat: near.lat, lng: near.lng } }),
        }),
      )
        .unwrap()
        .then(
          (places) => question === asked.current && setFound(places),
          () => question === asked.current && setProblem('unavailable'),
        )
        .finally(() => question === asked.current && setBusy(false))
    }, DEBOUNCE_MS)
  }
  /** Where a suggestion is; null, and a problem, when that is not known. */
  const placeOf = async ({ place_id, description }: Suggestion): Promise<Place | null> => {
    const sessionToken = session.current
    session.current = ''
    try {
      const { lat, lng } = await dispatch(
        fetchCoordsfromPlace({ place_id, sessionToken, quiet: true }),
      ).unwrap()
      return { lat, lng, add: description }
    } catch {
      setProblem('google_places_error')
      return null
    }
  }
  return { found, busy, problem, setProblem, look, forget, placeOf }
}
