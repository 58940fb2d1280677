import { useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LatLng, Place } from '~/domain/entities'
import type { Refusal } from '~/domain/errors'
import { type Suggestion, fetchCoordsfromPlace, findPlaces } from '~/src/features/places/places'
import { useAppDispatch } from '~/src/store/hooks'
import { TextInput } from '~/src/ui/controls'
import css from '../people/picker.module.css'

/** How long typing must rest before places are looked for (specification 9). */
const DEBOUNCE_MS = 200

/** A place by typing, chosen from what is found within the configured country. */
export const PlacePicker = ({
  label,
  value,
  onChange,
  near,
  error,
}: {
  label: string
  value: Place | null
  onChange: (place: Place | null) => void
  near: LatLng | null
  /** Already translated. */
  error?: string | undefined
}) => {
  const { t, i18n } = useTranslation()
  const dispatch = useAppDispatch()
  const listId = useId()
  const [typed, setTyped] = useState<string | null>(null)
  const [found, setFound] = useState<Suggestion[] | null>(null)
  const [at, setAt] = useState(0)
  const [problem, setProblem] = useState<string | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // Answers may overtake each other; only the one to the last question counts.
  const asked = useRef(0)
  useEffect(() => () => clearTimeout(timer.current), [])

  const look = (text: string) => {
    setTyped(text)
    setProblem(null)
    setAt(0)
    if (value) onChange(null)
    clearTimeout(timer.current)
    const question = ++asked.current
    if (text.trim().length < 2) return setFound(null)
    timer.current = setTimeout(() => {
      dispatch(
        findPlaces({
          searchKeyword: text.trim(),
          language: i18n.language,
          quiet: true,
          ...(near && { near: { lat: near.lat, lng: near.lng } }),
        }),
      )
        .unwrap()
        .then(
          (places) => question === asked.current && setFound(places),
          () => question === asked.current && setProblem('unavailable'),
        )
    }, DEBOUNCE_MS)
  }
  const choose = async (suggestion: Suggestion | undefined) => {
    if (!suggestion) return
    const { place_id, description } = suggestion
    setFound(null)
    setTyped(description)
    try {
      const point = await dispatch(fetchCoordsfromPlace({ place_id, quiet: true })).unwrap()
      onChange({ lat: point.lat, lng: point.lng, add: description })
      setTyped(null)
    } catch (refused) {
      setProblem((refused as Refusal).key)
    }
  }
  const open = found !== null
  return (
    <div className={css.picker}>
      <TextInput
        label={label}
        error={problem ? t(problem) : error}
        placeholder={t('place_placeholder')}
        role="combobox"
        aria-expanded={open}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={open && found[at] ? `${listId}-${at}` : undefined}
        autoComplete="off"
        spellCheck={false}
        value={typed ?? value?.add ?? ''}
        onChange={({ target }) => look(target.value)}
        onBlur={() => setFound(null)}
        onKeyDown={(event) => {
          if (!found) return
          if (event.key === 'ArrowDown') setAt(Math.min(found.length - 1, at + 1))
          else if (event.key === 'ArrowUp') setAt(Math.max(0, at - 1))
          else if (event.key === 'Enter') void choose(found[at])
          else if (event.key === 'Escape') setFound(null)
          else return
          event.preventDefault()
        }}
      />
      {open && (
        <ul role="listbox" id={listId} aria-label={label} className={css.list}>
          {found.length === 0 && (
            <li role="option" aria-selected="false" aria-disabled="true">
              {t('no_matches')}
            </li>
          )}
          {found.map((suggestion, index) => (
            <li
              key={suggestion.place_id}
              id={`${listId}-${index}`}
              role="option"
              aria-selected={index === at}
              onMouseDown={(event) => {
                event.preventDefault()
                void choose(suggestion)
              }}
            >
              {suggestion.description}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
