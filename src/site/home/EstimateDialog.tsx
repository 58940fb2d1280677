import { Fragment, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import {
  MAX_INSTRUCTIONS_LENGTH,
  MAX_RECIPIENT_LENGTH,
  MAX_RECIPIENT_PHONE_LENGTH,
} from '~/domain/booking/limits/limits'
import type { FareQuote } from '~/domain/money/fare'
import { ReferralField } from '~/src/features/referral/ReferralField'
import { translateError } from '~/src/i18n/errorTexts'
import { screenPaths } from '~/src/store/screenPaths'
import { Button, TextArea, TextInput } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/Dialog'
import { focusFirstInvalid } from '~/src/ui/focusFirstInvalid'
import { DateTime, useFormat } from '~/src/ui/format'
import { Icon } from '~/src/ui/Icon'
import type { ChosenPlaces, DraftedForm } from '~/src/widgets/useBookingDraft'
import { Refusal } from '~/src/ui/forms/Refusal'
import { Link } from '~/src/ui/router'
import { FareLines } from '../FareLines'
import { PROFILE_FIELDS, type ProfileField, getMissingFields } from '../profileFields'
import css from './EstimateDialog.module.css'
import type { Route } from '~/domain/booking/trip/route'
import type { User } from '~/domain/accounts/types'

const DELIVERY_FIELDS = [
  'deliveryPerson',
  'deliveryPersonPhone',
  'pickUpInstructions',
  'deliveryInstructions',
]

/** Shows the places of the trip and its time. */
const TripFacts = ({
  places: { pickup, waypoints, drop },
  tripdate,
}: {
  places: ChosenPlaces
  /** Milliseconds; null for a booking for now. */
  tripdate: number | null
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <dl className={css.facts}>
      <dt>{t('pickup')}</dt>
      <dd>{pickup.add}</dd>
      {waypoints.map(({ add }, index) => (
        <Fragment key={`${add} ${index}`}>
          <dt>{`${t('stop')} ${format.number(index + 1)}`}</dt>
          <dd>{add}</dd>
        </Fragment>
      ))}
      <dt>{t('drop')}</dt>
      <dd>{drop.add}</dd>
      <dt>{t('when')}</dt>
      <dd>{tripdate === null ? t('book_now') : <DateTime at={tripdate} />}</dd>
    </dl>
  )
}

/** Shows the estimate with its lines, and asks for details that are missing for the booking. */
export const EstimateDialog = ({
  form,
  quote,
  route,
  profile,
  person,
  onPerson,
  hasReferralField,
  referralId,
  onReferralId,
  onBook,
  onRepeat,
  onClose,
}: {
  form: DraftedForm
  quote: FareQuote
  route: Route
  profile: User | null
  /** Values that the person typed for missing profile fields. */
  person: Partial<Record<ProfileField, string>>
  onPerson: (changes: Partial<Record<ProfileField, string>>) => void
  /** True when the person can still say who invited them. */
  hasReferralField: boolean
  /** The referral code that they were invited with. */
  referralId: string
  onReferralId: (code: string) => void
  onBook: () => void
  /** Makes a recurring booking instead; offered for a later time. */
  onRepeat: () => void
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  const price = format.money(quote.estimateFare)
  const missing = getMissingFields(profile)
  const { draft, change, isDelivery, refusals, isSending } = form
  const errorAt = (field: string) => {
    const problem = form.problemAt(field)
    return problem && translateError(problem, t)
  }
  const shownFields: readonly string[] = [
    ...(isDelivery ? DELIVERY_FIELDS : []),
    ...missing,
    ...(hasReferralField ? ['referralId'] : []),
  ]
  const other = form.findOtherProblem((field) => shownFields.includes(field))
  const fields = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (refusals > 0) focusFirstInvalid(fields.current)
  }, [refusals])
  return (
    <Dialog
      title={t('estimate_title')}
      onClose={onClose}
      problem={
        other?.key === 'estimate_changed' ? (
          <Refusal error={null}>{t('estimate_new_price', { price })}</Refusal>
        ) : other?.key === 'debt_limit' ? (
          <Refusal>
            {translateError(other, t)}{' '}
            <Link to={`${screenPaths.wallet}?tab=topup`}>{t('tip_add_money')}</Link>
          </Refusal>
        ) : (
          <Refusal error={other} />
        )
      }
      actions={
        <>
          <Button
            variant="accent"
            size="large"
            wide
            busy={isSending || form.isWaiting}
            onClick={onBook}
          >
            {t(profile ? 'estimate_book' : 'estimate_login', { price })}
          </Button>
          {draft.later && (
            <Button variant="outline" wide busy={isSending || form.isWaiting} onClick={onRepeat}>
              {t('repeat_weekly')}
            </Button>
          )}
        </>
      }
    >
      {form.places && <TripFacts places={form.places} tripdate={form.tripdate} />}
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
              maxLength={MAX_RECIPIENT_LENGTH}
              error={errorAt('deliveryPerson')}
              onChange={({ target }) => change({ deliveryPerson: target.value })}
            />
            <TextInput
              label={t('deliveryPersonPhone')}
              type="tel"
              inputMode="tel"
              required
              value={draft.deliveryPersonPhone}
              maxLength={MAX_RECIPIENT_PHONE_LENGTH}
              error={errorAt('deliveryPersonPhone')}
              onChange={({ target }) => change({ deliveryPersonPhone: target.value })}
            />
            <TextArea
              label={t('pickUpInstructions')}
              rows={2}
              maxLength={MAX_INSTRUCTIONS_LENGTH}
              value={draft.pickUpInstructions}
              error={errorAt('pickUpInstructions')}
              onChange={({ target }) => change({ pickUpInstructions: target.value })}
            />
            <TextArea
              label={t('deliveryInstructions')}
              rows={2}
              maxLength={MAX_INSTRUCTIONS_LENGTH}
              value={draft.deliveryInstructions}
              error={errorAt('deliveryInstructions')}
              onChange={({ target }) => change({ deliveryInstructions: target.value })}
            />
          </fieldset>
        )}
        {missing.length > 0 && (
          <fieldset className={css.fields}>
            <legend>{t('profile_needed')}</legend>
            {PROFILE_FIELDS.filter(({ field }) => missing.includes(field)).map(
              ({ field, ...input }) => (
                <TextInput
                  key={field}
                  label={t(field)}
                  required
                  {...input}
                  value={person[field] ?? ''}
                  error={errorAt(field)}
                  onChange={({ target }) => onPerson({ [field]: target.value })}
                />
              ),
            )}
          </fieldset>
        )}
        {hasReferralField && (
          <ReferralField
            value={referralId}
            refused={form.refused?.field === 'referralId'}
            onChange={onReferralId}
          />
        )}
      </div>
    </Dialog>
  )
}
