import { TRIP_DETAILS } from '~/domain/booking/tripDetails'
import { useTranslation } from 'react-i18next'
import type { FareQuote } from '~/domain/money/fare'
import { ReferralField } from '~/src/features/referral/ReferralField'
import { liveSettings } from '~/src/features/settings/settings'
import { selectProfile } from '~/src/store/auth'
import { useAppSelector } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { Button, TextInput } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/dialogs/Dialog'
import { useInvalidFocus } from '~/src/ui/focusFirstInvalid'
import { useFormat } from '~/src/ui/format/format'
import { findOtherProblem } from '~/src/widgets/trip/findOtherProblem'
import { RecipientFields } from '~/src/widgets/trip/RecipientFields'
import type { DraftedForm } from '~/src/widgets/trip/useBookingDraft'
import { useErrorTexts } from '~/src/widgets/trip/useErrorTexts'
import { WaitOffer } from '~/src/widgets/trip/WaitOffer'
import { PROFILE_FIELDS, type ProfileField, getMissingFields } from '../profileFields'
import css from './EstimateDialog.module.css'
import { Estimate, EstimateProblem, TripFacts } from './estimateParts'
import type { Route } from '~/domain/booking/trip/route'

/** The referral code that a person was invited with. */
interface Referral {
  referralId: string
  setReferralId: (code: string) => void
}

interface Props {
  form: DraftedForm
  quote: FareQuote
  route: Route
  /** Values that the person typed for missing profile fields. */
  person: Partial<Record<ProfileField, string>>
  onPerson: (changes: Partial<Record<ProfileField, string>>) => void
  /** Null when the person can no longer say who invited them. */
  referral: Referral | null
  onBook: (choice?: { wait: true }) => void
  /** Makes a recurring booking instead; offered for a later time. */
  onRepeat: () => void
  onClose: () => void
}

/** Asks for details that are missing for the booking. */
const DetailFields = ({
  form,
  missing,
  person,
  onPerson,
  referral,
}: Pick<Props, 'form' | 'person' | 'onPerson' | 'referral'> & {
  missing: readonly ProfileField[]
}) => {
  const { t } = useTranslation()
  const errorAt = useErrorTexts(form)
  return (
    <>
      {form.isDelivery && (
        <fieldset className={css.fields}>
          <legend>{t('delivery_title')}</legend>
          <RecipientFields
            value={form.draft}
            required={['deliveryPersonPhone']}
            errorAt={errorAt}
            onChange={form.change}
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
      {referral && (
        <ReferralField
          value={referral.referralId}
          refused={form.refused?.field === 'referralId'}
          onChange={(code) => {
            form.clearRefusal()
            referral.setReferralId(code)
          }}
        />
      )}
    </>
  )
}

/** Shows the estimate with its lines, and asks for details that are missing for the booking. */
export const EstimateDialog = ({
  form,
  quote,
  route,
  onBook,
  onRepeat,
  onClose,
  ...details
}: Props) => {
  const { t } = useTranslation()
  const format = useFormat()
  const profile = useAppSelector(selectProfile)
  const { settings } = useLive(liveSettings)
  const price = format.money(quote.estimateFare)
  const missing = getMissingFields(profile)
  const shownFields: readonly string[] = [
    ...(form.isDelivery ? TRIP_DETAILS : []),
    ...missing,
    ...(details.referral ? ['referralId'] : []),
  ]
  const other = findOtherProblem(form, (field) => shownFields.includes(field))
  const isBusy = form.isSending || form.isWaiting
  const fields = useInvalidFocus<HTMLDivElement>(form.refusals)
  return (
    <Dialog
      title={t('estimate_title')}
      onClose={onClose}
      problem={
        <>
          <EstimateProblem problem={other} price={price} />
          {settings?.allowWaiting && (
            <WaitOffer problem={other} isBusy={isBusy} onBook={() => onBook({ wait: true })} />
          )}
        </>
      }
      actions={
        <>
          <Button variant="accent" size="large" wide busy={isBusy} onClick={() => onBook()}>
            {t(profile ? 'estimate_book' : 'estimate_login', { price })}
          </Button>
          {form.draft.later && (
            <Button variant="outline" wide busy={isBusy} onClick={onRepeat}>
              {t('repeat_weekly')}
            </Button>
          )}
        </>
      }
    >
      {form.places && <TripFacts places={form.places} tripdate={form.tripdate} />}
      <Estimate quote={quote} route={route} />
      <div ref={fields} className={css.all}>
        <DetailFields {...details} form={form} missing={missing} />
      </div>
    </Dialog>
  )
}
