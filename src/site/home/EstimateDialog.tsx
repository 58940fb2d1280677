import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Route } from '~/domain/booking/change'
import type { User } from '~/domain/entities'
import type { Refusal } from '~/domain/errors'
import type { Quote } from '~/domain/fare'
import { Button, TextArea, TextInput } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/Dialog'
import { focusWrong } from '~/src/ui/focusWrong'
import { useFormat } from '~/src/ui/format'
import { Icon } from '~/src/ui/Icon'
import { FareLines } from '../FareLines'
import { PERSON, type PersonField, missingOf } from '../person'
import type { Draft } from './draft'
import css from './EstimateDialog.module.css'

const DELIVERY = ['deliveryPerson', 'deliveryPersonPhone']

/** The price with its lines, and what is still to be said before booking. */
export const EstimateDialog = ({
  quote,
  route,
  draft,
  onDraft,
  isDelivery,
  profile,
  person,
  onPerson,
  refused,
  busy,
  onBook,
  onClose,
}: {
  quote: Quote
  route: Route
  draft: Draft
  onDraft: (changes: Partial<Draft>) => void
  isDelivery: boolean
  profile: User | null
  /** What the person typed for the missing parts of the profile. */
  person: Partial<Record<PersonField, string>>
  onPerson: (changes: Partial<Record<PersonField, string>>) => void
  refused: Refusal | null
  busy: boolean
  onBook: () => void
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  const price = format.money(quote.estimateFare)
  const missing = missingOf(profile)
  const errorAt = (field: string) =>
    refused?.field === field ? t(refused.key, refused.params ?? {}) : undefined
  const asked: readonly string[] = [...(isDelivery ? DELIVERY : []), ...missing]
  const shownAtField = refused?.field !== undefined && asked.includes(refused.field)
  const fields = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (shownAtField) focusWrong(fields.current)
  }, [refused, shownAtField])
  return (
    <Dialog
      title={t('estimate_title')}
      onClose={onClose}
      actions={
        <Button look="accent" size="large" wide busy={busy} onClick={onBook}>
          {t(profile ? 'estimate_book' : 'estimate_login', { price })}
        </Button>
      }
    >
      <p className={css.route}>
        <Icon name="route" />
        {t('estimate_route', {
          distance: format.distance(quote.distance),
          duration: format.duration(route.time_in_secs),
        })}
      </p>
      {route.approximate && <p className={css.note}>{t('approximate_route')}</p>}
      <FareLines lines={quote.lines} total={quote.estimateFare} />
      <div ref={fields} className={css.all}>
        {isDelivery && (
          <fieldset className={css.fields}>
            <legend>{t('delivery_title')}</legend>
            <TextInput
              label={t('deliveryPerson')}
              value={draft.deliveryPerson}
              maxLength={120}
              error={errorAt('deliveryPerson')}
              onChange={({ target }) => onDraft({ deliveryPerson: target.value })}
            />
            <TextInput
              label={t('deliveryPersonPhone')}
              type="tel"
              inputMode="tel"
              required
              value={draft.deliveryPersonPhone}
              maxLength={40}
              error={errorAt('deliveryPersonPhone')}
              onChange={({ target }) => onDraft({ deliveryPersonPhone: target.value })}
            />
            <TextArea
              label={t('pickUpInstructions')}
              rows={2}
              maxLength={1000}
              value={draft.pickUpInstructions}
              onChange={({ target }) => onDraft({ pickUpInstructions: target.value })}
            />
            <TextArea
              label={t('deliveryInstructions')}
              rows={2}
              maxLength={1000}
              value={draft.deliveryInstructions}
              onChange={({ target }) => onDraft({ deliveryInstructions: target.value })}
            />
          </fieldset>
        )}
        {missing.length > 0 && (
          <fieldset className={css.fields}>
            <legend>{t('profile_needed')}</legend>
            {PERSON.filter(({ field }) => missing.includes(field)).map(({ field, ...input }) => (
              <TextInput
                key={field}
                label={t(field)}
                required
                {...input}
                value={person[field] ?? ''}
                error={errorAt(field)}
                onChange={({ target }) => onPerson({ [field]: target.value })}
              />
            ))}
          </fieldset>
        )}
      </div>
      {refused && !shownAtField && (
        <p className={css.refused} role="alert">
          <Icon name="warning" />
          {refused.key === 'estimate_changed'
            ? t('estimate_new_price', { price })
            : t(refused.key, refused.params ?? {})}
        </p>
      )}
    </Dialog>
  )
}
