import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Suggestion } from '~/src/features/places/places'
import { usePlaceSearch } from '~/src/features/places/usePlaceSearch'
import { Combobox } from '~/src/ui/Combobox'
import type { LatLng, Place } from '~/domain/geo/types'

/** Renders a search field for a place; it finds only places in the configured country. */
export const PlacePicker = ({
  label,
  value,
  onChange,
  onLookup,
  near,
  error,
}: {
  label: string
  value: Place | null
  onChange: (place: Place | null) => void
  /** Called when a place is chosen; the promise settles when the lookup ends, found or not. */
  onLookup: (lookup: Promise<unknown>) => void
  near: LatLng | null
  /** The translated error text. */
  error?: string | undefined
}) => {
  const { t } = useTranslation()
  const { suggestions, busy, problem, search, forget, fetchPlace } = usePlaceSearch(near)
  const [typed, setTyped] = useState<string | null>(null)

  const type = (text: string) => {
    setTyped(text)
    if (value) onChange(null)
    search(text)
  }
  const bring = async (suggestion: Suggestion) => {
    forget()
    setTyped(suggestion.description)
    const place = await fetchPlace(suggestion)
    if (!place) return
    onChange(place)
    setTyped(null)
  }
  const options = suggestions?.map((suggestion) => ({
    key: suggestion.place_id,
    content: suggestion.description,
    choose: () => onLookup(bring(suggestion)),
  }))
  return (
    <Combobox
      required
      label={label}
      error={problem ? t(problem) : error}
      placeholder={t('place_placeholder')}
      spellCheck={false}
      value={typed ?? value?.add ?? ''}
      onBlur={forget}
      options={options ?? null}
      isSearching={busy}
      listLabel={label}
      onType={type}
      onClose={forget}
    />
  )
}
