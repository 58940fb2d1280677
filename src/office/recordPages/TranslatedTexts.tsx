import { type ReactNode, useEffect } from 'react'
import { type FieldValues, useController } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { LOCALE_PATTERN } from '~/domain/catalog/catalogTexts'
import { liveLanguages } from '~/src/features/languages/languages'
import { useLive } from '~/src/store/live/liveSlice'
import { isSameValue, ConcurrentEditHint } from '~/src/ui/forms/concurrentEdits'
import type { FieldBinding, FieldName } from '~/src/ui/forms/useSchemaForm'
import css from './TranslatedTexts.module.css'
import type { Language } from '~/domain/catalog/types'

type Translations = Record<string, string>

/**
 * Shows a field for each language besides the default one, whose text has a field of its own. An
 * empty field means the default text. Collapsed unless a translation has an error or was changed by
 * another person.
 */
export const TranslatedTexts = <
  Values extends FieldValues,
  Name extends FieldName<Values, Translations | undefined>,
>({
  label,
  binding: { control, name, describe, concurrentEdit },
  children,
}: {
  /** Names the texts; without it they are names. */
  label?: string
  binding: Pick<FieldBinding<Values, Name>, 'control' | 'name' | 'describe' | 'concurrentEdit'>
  /** Renders the field of a language. */
  children: (language: Pick<Language, 'langName' | 'langLocale'>) => ReactNode
}) => {
  const { t } = useTranslation()
  const title = label ?? t('translated_names')
  const { langlist } = useLive(liveLanguages)
  const {
    field: { value: names, onChange },
    fieldState: { error },
  } = useController({ control, name })
  const isOpen = error !== undefined || concurrentEdit !== undefined
  const shows = (value: unknown) =>
    Object.entries((value ?? {}) as Translations)
      .filter(([, text]) => text)
      .map(([locale, text]) => `${locale}: ${text}`)
      .join(', ') || t('empty_value')
  useEffect(() => describe?.({ label: title, formatValue: shows }))
  const translated = langlist.filter(
    (language) => !language.default && new RegExp(LOCALE_PATTERN).test(language.langLocale),
  )
  if (translated.length === 0) return null
  return (
    <details className={css.names} open={isOpen || undefined}>
      <summary>{title}</summary>
      {concurrentEdit && (
        <ConcurrentEditHint
          edit={concurrentEdit}
          author={concurrentEdit.author}
          show={shows}
          isMine={!concurrentEdit.isResolved && !isSameValue(names, concurrentEdit.to)}
          onTake={() => onChange(concurrentEdit.to ?? {})}
        />
      )}
      <div className={css.fields} role="group" aria-label={title}>
        {translated.map((language) => children(language))}
      </div>
    </details>
  )
}
