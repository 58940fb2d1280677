import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LatLng, Place } from '~/domain/entities'
import type { Suggestion } from '~/src/features/places/places'
import { usePlaceSearch } from '~/src/features/places/usePlaceSearch'
import { TextInput } from '~/src/ui/controls'
import css from '../people/picker.module.css'

/** A place by typing, chosen from what is found within the configured country. */
export const PlacePicker = ({
  label,
  value,
  onChange,
  onLooking,
  near,
  error,
}: {
  label: string
  value: Place | null
  onChange: (place: Place | null) => void
  /** A place was chosen; the promise ends when it is known, or known not to be found. */
  onLooking: (done: Promise<void>) => void
  near: LatLng | null
  /** Already translated. */
  error?: string | undefined
}) => {
  const { t } = useTranslation()
  const listId = useId()
  const { found, problem, look, forget, placeOf } = usePlaceSearch(near)
  const [typed, setTyped] = useState<string | null>(null)
  const [at, setAt] = useState(0)

  const type = (text: string) => {
    setTyped(text)
    setAt(0)
    if (value) onChange(null)
    look(text)
  }
  const bring = async (suggestion: Suggestion) => {
    forget()
    setTyped(suggestion.description)
    const place = await placeOf(suggestion)
    if (!place) return
    onChange(place)
    setTyped(null)
  }
  const choose = (suggestion: Suggestion | undefined) => {
    if (suggestion) onLooking(bring(suggestion))
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
        onChange={({ target }) => type(target.value)}
        onBlur={forget}
        onKeyDown={(event) => {
          if (!found) return
          if (event.key === 'ArrowDown') setAt(Math.min(found.length - 1, at + 1))
          else if (event.key === 'ArrowUp') setAt(Math.max(0, at - 1))
          else if (event.key === 'Enter') choose(found[at])
          else if (event.key === 'Escape') forget()
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
                choose(suggestion)
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
