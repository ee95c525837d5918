package policy

// leakKeywords are the keywords of the gitleaks rules that need no path, one
// blank between two. A rule can match only a text that holds one of its
// keywords, so a text without any needs no rule set. A test holds this list
// against the rule set itself.
const leakKeywords = `
4b1d _gitlab_session= _mmk _pub a3- a3t abia absk acca access adafruit adobe
age-secret-key-1 airtable aiza akcp akia algolia alibaba api api- api_org_ artifactory asana asia
atatt3 atlassian atlasv1 auth authress_ beamer bedrock-api-key- bintray bitbucket bittrex
bundle_enterprise__contribsys__com bundle_gems__contribsys__com clojars_ cloudflare cmvmd co_api_key
codecov cohere coinbase confluence confluent contentful credential creds curl dapi datadog discord
dnkey doo_v1_ dop_v1_ dor_v1_ dp.pt. droneci dropbox dt0c01. duffel_ eaaa eaac eaam
enterprise.contribsys.com etsy ext_ ey eyjrijoi ezak eztk facebook fastly finicity finnhub fio-u-
flickr flwpubk_test flwseck_test fm1 fm2_ fo1_ freshbooks gems.contribsys.com gho_ ghp_ ghr_ ghs_
ghu_ github_pat_ gitter glagent- glc_ glcbt- gldt- glffct- glft- glimt- gloas- glpat- glptt- glrt-
glsa_ glsoat- gocardless gr1348941 heroku hf_ hooks.slack.com hrku-aa hubspot hvb. hvs. ico-
incomingwebhook intercom intra jfrog jira key kraken kucoin launchdarkly lin_api_ linear linked-in
linked_in linkedin live_ live_pub looker ltai mailchimp mailgun mapbox mattermost meraki
message-bird message_bird messagebird netlify new-relic new-york-times new_relic newrelic
newyorktimes npm_ nrak nrii- nrjs- ntn_ nytimes okta ops_ p8e- passwd password pat. plaid pmak- pnu_
pplx- private-ai private_ai privateai pscale_oauth_ pscale_pw_ pscale_tkn_ pul- pypi-ageichlwas5vcmc
q~ rapidapi rdme_ rk_live rk_prod rk_test rubygems_ s-s4t2af- s-s4t2ud- s. sat. sc_ scauth_ secret
sendbird sentry sg. sgp_ sha256~ shippo_ shpat_ shpca_ shppa_ shpss_ sk sk-ant-admin01 sk-ant-api03
sk_live sk_prod sk_test sm_aat sm_pat sm_sat sntrys_eyjpyxqio sntryu_ snyk sonar sourcegraph sq0atp-
squarespace sumo t3blbkfj telegr test_ test_pub tfp_ tk-us- token travis twitch twitter v1.0-
webhook.office.com webhookb2 xapp xkeysib- xoxa xoxb xoxe- xoxe.xoxb- xoxe.xoxp- xoxo xoxp- xoxr
xoxs xray yandex zendesk zxlk`
