/* campaign.json: the description of a campaign (formats/campaign.h), read and written. docs/design.md and
 * docs/campaign.md show the form; its schema name is "wattscale.campaign/1". */
#ifndef WS_FORMATS_CAMPAIGN_JSON_H
#define WS_FORMATS_CAMPAIGN_JSON_H

#include "formats/campaign.h"
#include "core/status.h"
#include "formats/input/input.h"

#include <stdbool.h>
#include <stdio.h>

/* Does the head look like one? */
bool ws_campaign_json_is(ws_span head);

/* Fill an empty campaign. A key that is unknown or of a wrong type: WS_FORMAT, naming the key and what belongs there.
 */
ws_status ws_campaign_json_read(ws_input *input, ws_campaign *campaign, ws_error *error);

/* Write it, keys in a fixed order, two blanks of indent. */
ws_status ws_campaign_json_write(FILE *stream, const ws_campaign *campaign, ws_error *error);

#endif
