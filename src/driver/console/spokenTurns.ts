import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { toDistanceUnit } from '~/domain/geo/geo'
import { toLanguageTag } from '~/domain/language/locales'
import { useFormat } from '~/src/ui/format/format'
import { readPreference, savePreference } from '~/src/ui/preferences'
import { useFormatTurn } from '../NavigationMap'
import type { Turn } from '../remainingRoute'
import type { Settings } from '~/domain/catalog/types'

const STORAGE_KEY = 'kerbside.spoken-turns'

export const areTurnsSpoken = (): boolean => readPreference(STORAGE_KEY) === 'yes'
export const setTurnsSpoken = (isSpoken: boolean) => {
  savePreference(STORAGE_KEY, isSpoken ? 'yes' : 'no')
  if (!isSpoken) globalThis.speechSynthesis?.cancel()
}

/** Kilometers before a turn at which it is said again. */
const REMINDERS = [0.4, 0.08]
/** Below this distance in kilometers the turn is now, so its distance is not said. */
const NOW_KM = 0.08

/** Says a turn when it becomes the next one, some way before it, and right before it. */
export const useSpokenTurns = (turn: Turn | undefined, settings: Settings) => {
  const { i18n } = useTranslation()
  const format = useFormat()
  const formatTurn = useFormatTurn()
  const spoken = useRef('')
  const { speechSynthesis: speech } = globalThis
  const reminder = turn && REMINDERS.filter((km) => turn.km <= km).length
  const key = turn ? [turn.maneuver, turn.at.lat, turn.at.lng, reminder].join(' ') : ''
  useEffect(() => {
    if (!turn || !speech || !areTurnsSpoken() || spoken.current === key) return
    spoken.current = key
    const distance = format.distance(toDistanceUnit(turn.km, settings))
    const words = [turn.km > NOW_KM && distance, formatTurn(turn), turn.street]
    const utterance = new SpeechSynthesisUtterance(words.filter(Boolean).join(', '))
    utterance.lang = toLanguageTag(i18n.language) ?? 'en'
    // An earlier distance is no longer true.
    speech.cancel()
    speech.speak(utterance)
  })
}
