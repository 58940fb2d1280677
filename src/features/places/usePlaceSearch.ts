import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAppDispatch } from '~/src/store/hooks'
import { type Suggestion, fetchCoordsfromPlace, searchPlaces } from './places'
import type { LatLng, Place } from '~/domain/geo/types'

/** Milliseconds without typing before a search starts. */
const DEBOUNCE_MS = 200
const MIN_LETTERS = 2

/**
 * Searches places for typed text; `suggestions` is null before the first search, `problem` the key
 * of an error.
 */
export const usePlaceSearch = (near: LatLng | null | undefined) => {
  const { i18n } = useTranslation()
  const dispatch = useAppDispatch()
  const [suggestions, setSuggestions] = useState<Suggestion[] | null>(null)
  const [isSearching, setSearching] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // Responses can arrive out of order; only the one to the last request counts.
  const lastRequest = useRef(0)
  // One search session runs from the first letter to the chosen place; a provider may bill it as
  // one.
  const session = useRef('')
  /** Callers that wait for the current search. */
  const waiting = useRef<((places: Suggestion[] | null) => void)[]>([])
  const answerWaiting = (places: Suggestion[] | null) => {
    const all = waiting.current
    waiting.current = []
    for (const resolve of all) resolve(places)
  }
  const leave = useEffectEvent(() => {
    clearTimeout(timer.current)
    answerWaiting(null)
  })
  useEffect(() => () => leave(), [])
  /** Resolves to the result of the current search; null when it fails or is abandoned. */
  const searched = () =>
    new Promise<Suggestion[] | null>((resolve) => {
      waiting.current.push(resolve)
    })
  const stopAwaiting = () => answerWaiting(null)

  const clearResults = () => {
    clearTimeout(timer.current)
    lastRequest.current += 1
    answerWaiting(null)
    setSuggestions(null)
    setSearching(false)
  }
  const search = (typed: string) => {
    setProblem(null)
    const searchKeyword = typed.trim()
    if (searchKeyword.length < MIN_LETTERS) return clearResults()
    clearTimeout(timer.current)
    const request = ++lastRequest.current
    answerWaiting(null)
    setSearching(true)
    session.current ||= crypto.randomUUID()
    timer.current = setTimeout(() => {
      dispatch(
        searchPlaces.quiet({
          searchKeyword,
          language: i18n.language,
          sessionToken: session.current,
          ...(near && { near: { lat: near.lat, lng: near.lng } }),
        }),
      )
        .unwrap()
        .then(
          (places) => {
            if (request !== lastRequest.current) return
            setSuggestions(places)
            setSearching(false)
            answerWaiting(places)
          },
          () => {
            if (request !== lastRequest.current) return
            setProblem('unavailable')
            setSearching(false)
            answerWaiting(null)
          },
        )
    }, DEBOUNCE_MS)
  }
  /** Returns the place of a suggestion, or null with a problem when its position is unknown. */
  const fetchPlace = async ({ place_id, description }: Suggestion): Promise<Place | null> => {
    const sessionToken = session.current
    session.current = ''
    try {
      const { lat, lng } = await dispatch(
        fetchCoordsfromPlace.quiet({ place_id, sessionToken }),
      ).unwrap()
      return { lat, lng, add: description }
    } catch {
      setProblem('google_places_error')
      return null
    }
  }
  return {
    suggestions,
    busy: isSearching,
    problem,
    setProblem,
    search,
    forget: clearResults,
    searched,
    stopAwaiting,
    fetchPlace,
  }
}
