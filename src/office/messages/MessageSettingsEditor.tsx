import { useTranslation } from 'react-i18next'
import { domainError } from '~/domain/api/errors'
import {
  type MessageSettingsForm,
  messageSettingsForm,
  toMessageSettings,
  toMessageSettingsForm,
} from '~/domain/forms/messageForms'
import {
  fromMicros,
  MESSAGE_SWITCHES,
  type MessageSettings,
  PRICED_CHANNELS,
} from '~/domain/messages/messageSettings'
import { DEFAULT_HOURLY_LIMITS, FREE_ACTIONS } from '~/domain/booking/limits/freeActions'
import { listMessages, OUTSIDE_CHANNELS } from '~/domain/messages/messageTable'
import { DEFAULT_DAILY_LIMITS, LIMITED_SUBJECTS } from '~/domain/messages/sendingLimits'
import {
  fetchMessageSettings,
  type MessageSettingsResponse,
  saveMessageSettings,
} from '~/src/features/messages/messages'
import { translateError } from '~/src/i18n/errorTexts'
import { useAppDispatch } from '~/src/store/hooks'
import { useLoaded } from '~/src/store/useLoaded'
import { useDayFormatter } from '~/src/ui/format/dayFormat'
import { DescriptionList } from '~/src/ui/DescriptionList'
import { useFormat } from '~/src/ui/format/format'
import { EditPage } from '~/src/office/recordPages/EditPage'
import { NumberField, Section, SwitchField, TextField } from '~/src/ui/forms/fields'
import type { BindField } from '~/src/ui/forms/useSchemaForm'
import pages from '~/src/office/recordPages/pages.module.css'
import { ErrorState } from '~/src/ui/feedback/ErrorState'
import { SkeletonLines } from '~/src/ui/feedback/states'
import { AuditTrail } from '../audit/AuditTrail'
import { useOfficeSession } from '../useOfficeSession'
import css from './messages.module.css'
import { getMessageTitle } from './messageTitle'

/** Shows the messages of the month and their price, and warns when the budget is used up. */
const MonthCosts = ({
  month,
  total,
  settings,
}: MessageSettingsResponse & { settings: MessageSettings }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const monthNames = useDayFormatter()({ month: 'long', year: 'numeric' })
  const spent = fromMicros(total.micros ?? 0)
  const { budget } = settings
  return (
    <Section title={t('message_costs', { month: monthNames.day(`${month}-15`) })}>
      <DescriptionList
        className={css.costs}
        facts={[
          ...PRICED_CHANNELS.map(
            (channel) =>
              [t(`channel_${channel}`), format.number(total[channel] ?? 0)] as [string, string],
          ),
          [t('total'), format.money(spent)],
          [t('message_budget'), budget === undefined ? null : format.money(budget)],
        ]}
      />
      {budget !== undefined && spent >= budget && (
        <p className={pages.refused} role="status">
          {t('message_budget_reached')}
        </p>
      )}
    </Section>
  )
}

/** The fields of what messages cost, and of their limits. */
const CostFields = ({ field }: { field: BindField<MessageSettingsForm> }) => {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <>
      <Section id="message_prices" title={t('message_prices')}>
        <NumberField label={t('price_sms')} unit="money" {...field('price.sms')} />
        <NumberField label={t('price_email')} unit="money" {...field('price.email')} />
        <NumberField label={t('price_whatsapp')} unit="money" {...field('price.whatsapp')} />
        <NumberField
          label={t('message_budget')}
          unit="money"
          hint={t('message_budget_hint')}
          {...field('budget')}
        />
      </Section>
      <Section id="message_limits" title={t('message_limits')}>
        <p className={pages.lead}>{t('message_limits_lead')}</p>
        <TextField
          label={t('message_countries')}
          hint={t('message_countries_hint')}
          {...field('countries')}
        />
        <TextField
          label={t('message_domains_refused')}
          hint={t('message_domains_refused_hint')}
          multiline
          {...field('refusedEmailDomains')}
        />
        <TextField
          label={t('message_domains_allowed')}
          hint={t('message_domains_allowed_hint')}
          multiline
          {...field('allowedEmailDomains')}
        />
        {LIMITED_SUBJECTS.map((subject) => (
          <NumberField
            key={subject}
            label={t(`message_limit_${subject}`)}
            hint={t('message_limit_hint', {
              limit: format.number(DEFAULT_DAILY_LIMITS[subject]),
            })}
            {...field(`dailyLimits.${subject}`)}
          />
        ))}
        {FREE_ACTIONS.map((action) => (
          <NumberField
            key={action}
            label={t(`hourly_limit_${action}`)}
            hint={t('message_limit_hint', { limit: format.number(DEFAULT_HOURLY_LIMITS[action]) })}
            {...field(`hourlyLimits.${action}`)}
          />
        ))}
        <NumberField
          label={t('debt_limit_label')}
          unit="money"
          hint={t('debt_limit_hint')}
          {...field('debtLimit')}
        />
      </Section>
    </>
  )
}

/** The fields of the operator and of the office's own messages. */
const OperatorFields = ({ field }: { field: BindField<MessageSettingsForm> }) => {
  const { t } = useTranslation()
  return (
    <>
      <Section id="operator" title={t('operator')}>
        <p className={pages.lead}>{t('operator_lead')}</p>
        <TextField label={t('operator_name')} {...field('operatorName')} />
        <TextField label={t('operator_address')} multiline {...field('address')} />
        <TextField label={t('tax_number')} {...field('taxNumber')} />
        <NumberField
          label={t('tax_percent')}
          unit="percent"
          hint={t('tax_percent_hint')}
          {...field('taxPercent')}
        />
      </Section>
      <Section id="office_messages" title={t('office_messages')}>
        <TextField
          label={t('office_mobile')}
          hint={t('office_mobile_hint')}
          type="tel"
          {...field('officeMobile')}
        />
      </Section>
    </>
  )
}

/** The events and their audiences, with the switches of their channels. */
const SWITCH_ROWS = [
  ...new Set(MESSAGE_SWITCHES.map(({ event, audience }) => `${event} ${audience}`)),
].map((row) => MESSAGE_SWITCHES.filter(({ event, audience }) => row === `${event} ${audience}`))

/**
 * Turns each message of an event on and off, with a column for each channel. Messages that the
 * platform's category does not send keep their values.
 */
const SwitchTable = ({ field }: { field: BindField<MessageSettingsForm> }) => {
  const { t } = useTranslation()
  const { settings } = useOfficeSession()
  const messages = listMessages({ appcat: settings?.appcat ?? 'taxi' })
  const rows = SWITCH_ROWS.filter(([first]) => first && messages.includes(first.event))
  return (
    <table className={css.switches}>
      <thead>
        <tr>
          <th scope="col">{t('message_event')}</th>
          {OUTSIDE_CHANNELS.map((channel) => (
            <th key={channel} scope="col">
              {t(`channel_${channel}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((switches) => {
          const { key: rowKey, event, audience } = switches[0]!
          return (
            <tr key={rowKey}>
              <th scope="row">
                {getMessageTitle(event, t)} <small>{t(`audience_${audience}`)}</small>
              </th>
              {OUTSIDE_CHANNELS.map((channel) => {
                const key = switches.find((one) => one.channel === channel)?.key
                return (
                  <td key={channel}>
                    {key && (
                      <SwitchField
                        isLabelHidden
                        label={getMessageTitle(event, t)}
                        hint={`${t(`audience_${audience}`)} · ${t(`channel_${channel}`)}`}
                        {...field(`on.${key}`)}
                      />
                    )}
                  </td>
                )
              })}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

/** The sections of the form, by the keys of their titles. */
const SECTIONS = [
  'operator',
  'office_messages',
  'quiet_hours',
  'message_prices',
  'message_limits',
  'messages_on',
] as const

/** Edits the operator's details, the messages that go out, quiet hours, prices and the budget. */
export const MessageSettingsEditor = () => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { can, notify } = useOfficeSession()
  const { value: loaded, setValue, failure, retry } = useLoaded(fetchMessageSettings, undefined)
  if (failure) return <ErrorState onRetry={retry}>{translateError(failure, t)}</ErrorState>
  if (!loaded) return <SkeletonLines lines={8} />
  const save = async (settings: MessageSettingsForm) => {
    if (!can('settings_save')) throw domainError('demo_mode')
    const { revision } = await dispatch(
      saveMessageSettings.quiet({ settings, revision: loaded.settings.revision }),
    ).unwrap()
    setValue({ ...loaded, settings: toMessageSettings(settings, revision) })
    notify('saved')
  }
  return (
    <EditPage<MessageSettingsForm>
      schema={messageSettingsForm}
      initial={toMessageSettingsForm(loaded.settings)}
      sections={SECTIONS.map((id) => ({ id, title: t(id) }))}
      onSave={save}
    >
      {(field) => (
        <>
          <MonthCosts {...loaded} />
          <OperatorFields field={field} />
          <Section id="quiet_hours" title={t('quiet_hours')}>
            <p className={pages.lead}>{t('quiet_hours_lead')}</p>
            <TextField label={t('quiet_start')} type="time" {...field('quietStart')} />
            <TextField label={t('quiet_end')} type="time" {...field('quietEnd')} />
          </Section>
          <CostFields field={field} />
          <Section id="messages_on" title={t('messages_on')}>
            <SwitchTable field={field} />
          </Section>
          <Section title={t('audit_of_record')}>
            <AuditTrail path="message_settings" />
          </Section>
        </>
      )}
    </EditPage>
  )
}
