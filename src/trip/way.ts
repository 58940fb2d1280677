import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LatLng } from '~/domain/entities'
import { distanceKm } from '~/domain/geo'
import { decodePolyline } from '~/domain/polyline'
import { fetchRoute, type RouteStep } from '~/src/features/estimates/estimates'
import type { AppDispatch } from '~/src/store/makeStore'
import { useAppDispatch, useAppSelector } from '~/src/store/hooks'
import { placeOnPath } from '~/src/ui/map/motion'
import { selectOutbox } from './outbox/outbox'

/** The way as it was found, from where it was asked. */
interface Found {
  km: number
  seconds: number
  points: LatLng[]
  steps: RouteStep[]
}
/** A turn that is still ahead. */
export interface Turn extends Pick<RouteStep, 'maneuver' | 'street' | 'exit' | 'at'> {
  /** How far it is from here. */
  km: number
}
/** What is left of a way. */
export interface Way {
  km: number
  seconds: number
  /** All of it. */
  points: LatLng[]
  /** How much of it lies behind, 0 to 1. */
  progress: number
  /** The next one first; none while the streets are not known. */
  turns: Turn[]
}

/** Streets are about so much longer than the straight line, and a city drives about so fast. */
const DETOUR = 1.3
const CITY_KMH = 25
/** Farther off the way than this he has taken another: it is asked for again. */
const STRAYED_M = 120
/** But not again before he has moved on so far. */
const AGAIN_KM = 0.15
/** A turn this close behind is still being taken. */
const TAKEN_KM = 0.015

const crow = (from: LatLng, to: LatLng): Found => {
  const km = distanceKm(from, to) * DETOUR
  return { km, seconds: (km / CITY_KMH) * 3600, points: [from, to], steps: [] }
}

/** What is left of a way for somebody who is at `from`. */
export const leftOf = ({ km, seconds, points, steps }: Found, from: LatLng): Way => {
  const progress = points.length > 1 ? placeOnPath(points, from).part : 0
  const driven = km * progress
  let start = 0
  const turns: Turn[] = []
  for (const { maneuver, street, exit, at, distance_in_km } of steps) {
    if (start > driven + TAKEN_KM)
      turns.push({ maneuver, street, at, km: start - driven, ...(exit !== undefined && { exit }) })
    start += distance_in_km
  }
  return { km: km - driven, seconds: seconds * (1 - progress), points, progress, turns }
}

const asked = new Map<string, Promise<Found | null>>()
const ask = (
  key: string,
  points: LatLng[],
  language: string,
  dispatch: AppDispatch,
): Promise<Found | null> => {
  const known = asked.get(key)
  if (known) return known
  const [pickup, ...between] = points
  const drop = between.pop()
  if (!pickup || !drop) return Promise.resolve(null)
  const answer = dispatch(fetchRoute({ pickup, drop, waypoints: between, language, quiet: true }))
    .unwrap()
    .then(
      ({ distance_in_km, time_in_secs, polylinePoints, steps }) => ({
        km: distance_in_km,
        seconds: time_in_secs,
        points: decodePolyline(polylinePoints),
        steps,
      }),
      () => {
        // Perhaps only the connection: the next look may ask again.
        asked.delete(key)
        return null
      },
    )
  asked.set(key, answer)
  if (asked.size > 50) asked.delete(asked.keys().next().value ?? '')
  return answer
}

interface Question {
  /** Where to, and by way of what. */
  to: string
  from: LatLng
}
const keyOf = ({ to, from }: Question) => `${from.lat.toFixed(3)},${from.lng.toFixed(3)} ${to}`

/**
 * What is left of the way from here over the points, kilometres and seconds. It is asked for once, and again when he
 * leaves it. Until the streets are known, and without a connection, a straight line made longer; null while one end is
 * unknown.
 */
export const useWay = (from: LatLng | null, to: LatLng | null, via: LatLng[] = []): Way | null => {
  const dispatch = useAppDispatch()
  const { language } = useTranslation().i18n
  const { online } = useAppSelector(selectOutbox)
  const ends = to ? JSON.stringify([...via, to].map(({ lat, lng }) => ({ lat, lng }))) : ''
  const [question, setQuestion] = useState<Question | null>(null)
  const [answer, setAnswer] = useState<{ question: Question; found: Found } | null>(null)
  const found = answer && answer.question === question ? answer.found : null
  const hasStrayed = (at: LatLng, { from: start }: Question) =>
    found !== null &&
    placeOnPath(found.points, at).off > STRAYED_M &&
    distanceKm(start, at) > AGAIN_KM
  if (from && ends && (question?.to !== ends || hasStrayed(from, question)))
    setQuestion({ to: ends, from: { lat: from.lat, lng: from.lng } })
  useEffect(() => {
    if (!question || !online) return
    let wanted = true
    const points = [question.from, ...(JSON.parse(question.to) as LatLng[])]
    void ask(`${language} ${keyOf(question)}`, points, language, dispatch).then(
      (way) => wanted && way && setAnswer({ question, found: way }),
    )
    return () => {
      wanted = false
    }
  }, [question, online, language, dispatch])
  return useMemo(() => {
    if (!from || !to) return null
    return leftOf(found ?? crow(from, to), from)
  }, [found, from, to])
}
