// Renders a Helm chart as `helm template` does: Go's text/template with sprig's functions and Helm's own (include, tpl,
// required, toYaml, lookup and others), with the same types of values. For tests where Debian has no Helm. Built on
// Debian's golang-go and golang-github-masterminds-sprig-dev, without modules and without a network:
//
//	GO111MODULE=off GOPATH=/usr/share/gocode go run renderChart.go CHART RELEASE < values.json
//
// Prints the manifests as JSON: { "<file of the template>": "<YAML>" }. A fault ends it with a sentence and status 1.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"gopkg.in/yaml.v2"
)

type values = map[string]interface{}

func main() {
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(chart, release string) error {
	var given, chartValues, about values
	if err := json.NewDecoder(os.Stdin).Decode(&given); err != nil {
		return err
	}
	for name, target := range map[string]*values{"values.yaml": &chartValues, "Chart.yaml": &about} {
		text, err := os.ReadFile(filepath.Join(chart, name))
		if err != nil {
			return err
		}
		if err := readYaml(string(text), target); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	// Templates call the fields of Chart.yaml by names that begin with a capital letter.
	named := values{}
	for key, value := range about {
		named[strings.ToUpper(key[:1])+key[1:]] = value
	}
	context := values{
		"Values": merge(chartValues, given),
		"Chart":  named,
		"Release": values{
			"Name": release, "Namespace": "default", "Service": "Helm", "Revision": 1, "IsInstall": true, "IsUpgrade": false,
		},
		"Capabilities": capabilities{KubeVersion: kubeVersion{Version: "v1.30.0", Major: "1", Minor: "30"}},
	}
	manifests, err := render(chart, context)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(manifests)
}

func render(chart string, context values) (map[string]string, error) {
	all := template.New("chart").Option("missingkey=zero")
	all.Funcs(functions(all))
	paths, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if _, err := all.New(filepath.Base(path)).Parse(string(text)); err != nil {
			return nil, err
		}
	}
	manifests := map[string]string{}
	for _, path := range paths {
		name := filepath.Base(path)
		if strings.HasPrefix(name, "_") {
			continue
		}
		context["Template"] = values{"Name": context["Chart"].(values)["Name"].(string) + "/templates/" + name}
		text, err := execute(all, name, context)
		if err != nil {
			return nil, err
		}
		manifests[name] = text
	}
	return manifests, nil
}

// Helm shows a value that is missing as nothing.
func execute(all *template.Template, name string, data interface{}) (string, error) {
	var text bytes.Buffer
	err := all.ExecuteTemplate(&text, name, data)
	return strings.ReplaceAll(text.String(), "<no value>", ""), err
}

func functions(all *template.Template) template.FuncMap {
	table := sprig.TxtFuncMap()
	// A chart cannot read the environment of whoever installs it.
	delete(table, "env")
	delete(table, "expandenv")
	own := template.FuncMap{
		"include": func(name string, data interface{}) (string, error) { return execute(all, name, data) },
		"tpl": func(text string, data interface{}) (string, error) {
			copied, err := all.Clone()
			if err != nil {
				return "", err
			}
			if _, err := copied.New("tpl").Parse(text); err != nil {
				return "", err
			}
			return execute(copied, "tpl", data)
		},
		"required": func(message string, value interface{}) (interface{}, error) {
			if value == nil || value == "" {
				return nil, errors.New(message)
			}
			return value, nil
		},
		"toYaml":   func(value interface{}) (string, error) { return writeYaml(value) },
		"fromYaml": func(text string) (read values, err error) { err = readYaml(text, &read); return },
		// Nothing is there, as in `helm template` without a cluster.
		"lookup": func(version, kind, namespace, name string) values { return values{} },
	}
	for name, function := range own {
		table[name] = function
	}
	return table
}

type kubeVersion struct{ Version, Major, Minor string }

func (version kubeVersion) String() string { return version.Version }

type capabilities struct{ KubeVersion kubeVersion }

// YAML by way of JSON, as Helm reads it: numbers are float64, keys are strings.
func readYaml(text string, target interface{}) error {
	var read interface{}
	if err := yaml.UnmarshalStrict([]byte(text), &read); err != nil {
		return err
	}
	plain, err := toJson(read)
	if err != nil {
		return err
	}
	inJson, err := json.Marshal(plain)
	if err != nil {
		return err
	}
	return json.Unmarshal(inJson, target)
}

func writeYaml(value interface{}) (string, error) {
	inJson, err := json.Marshal(value)
	if err != nil {
		return "", err
	}
	// A JSON text is YAML: read so, whole numbers stay whole.
	var read interface{}
	if err := yaml.Unmarshal(inJson, &read); err != nil {
		return "", err
	}
	text, err := yaml.Marshal(read)
	return strings.TrimSuffix(string(text), "\n"), err
}

func toJson(value interface{}) (interface{}, error) {
	switch typed := value.(type) {
	case map[interface{}]interface{}:
		object := values{}
		for key, inner := range typed {
			name, isText := key.(string)
			if !isText {
				return nil, fmt.Errorf("the key %v is no text", key)
			}
			plain, err := toJson(inner)
			if err != nil {
				return nil, err
			}
			object[name] = plain
		}
		return object, nil
	case []interface{}:
		list := make([]interface{}, len(typed))
		for place, inner := range typed {
			plain, err := toJson(inner)
			if err != nil {
				return nil, err
			}
			list[place] = plain
		}
		return list, nil
	}
	return value, nil
}

// The given values over those of the chart; null takes one away.
func merge(below, above values) values {
	merged := values{}
	for key, value := range below {
		merged[key] = value
	}
	for key, value := range above {
		inner, isObject := value.(values)
		outer, wasObject := merged[key].(values)
		if value == nil {
			delete(merged, key)
		} else if isObject && wasObject {
			merged[key] = merge(outer, inner)
		} else {
			merged[key] = value
		}
	}
	return merged
}
