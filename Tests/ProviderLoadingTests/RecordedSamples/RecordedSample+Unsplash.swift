extension RecordedSample {
    static let unsplash = [
        RecordedSample(
            "unsplash", .search, "search_photos_paris_page1.json", count: 10, total: 3364, lastID: "QAwciFlS1g4",
            first: """
                image ZzbBpjNBJD4
                title: Eiffel Tower at night
                description: Eiffel Tower, Paris
                page: http://lvh.me:3000/photos/ZzbBpjNBJD4?utm_source=imgscript&utm_medium=referral
                tags: paris, architecture, france
                author: Anthony DELANOIX | anthonydelanoix | http://lvh.me:3000/@anthonydelanoix?utm_source=imgscript&utm_medium=referral
                license: unsplash | Unsplash License | https://unsplash.com/license
                created: 2015-10-14T19:21:10-04:00
                colors: #172644
                stats: likes 149
                original 2387x3581 https://images.unsplash.com/photo-144486…ixlib=rb-1.2.1&ixid=eyJhcHBfaWQiOjEyMDd9
                large 2387x3581 jpeg https://images.unsplash.com/photo-144486…ntropy&cs=srgb&ixid=eyJhcHBfaWQiOjEyMDd9
                regular 1080x1620 jpeg https://images.unsplash.com/photo-144486…w=1080&fit=max&ixid=eyJhcHBfaWQiOjEyMDd9
                small 400x600 jpeg https://images.unsplash.com/photo-144486…&w=400&fit=max&ixid=eyJhcHBfaWQiOjEyMDd9
                thumbnail 200x300 jpeg https://images.unsplash.com/photo-144486…&w=200&fit=max&ixid=eyJhcHBfaWQiOjEyMDd9
                """),
        RecordedSample(
            "unsplash", .feed(), "photos_list_latest_page1.json", count: 10, total: 146_831, lastID: "EHeejuE_0MI",
            first: """
                image cTz5-T7voqQ
                title: President Donald Trump and VP Mike Pence
                description: Donald Trump beside man in black suit
                page: http://lvh.me:3000/photos/cTz5-T7voqQ?utm_source=imgscript&utm_medium=referral
                author: History in HD | historyhd | http://lvh.me:3000/@historyhd?utm_source=imgscript&utm_medium=referral
                license: unsplash | Unsplash License | https://unsplash.com/license
                created: 2019-02-18T18:20:08-05:00
                colors: #F33548
                stats: likes 79
                original 5120x3408 https://images.unsplash.com/photo-155053…ixlib=rb-1.2.1&ixid=eyJhcHBfaWQiOjEyMDd9
                large 5120x3408 jpeg https://images.unsplash.com/photo-155053…ntropy&cs=srgb&ixid=eyJhcHBfaWQiOjEyMDd9
                regular 1080x719 jpeg https://images.unsplash.com/photo-155053…w=1080&fit=max&ixid=eyJhcHBfaWQiOjEyMDd9
                small 400x266 jpeg https://images.unsplash.com/photo-155053…&w=400&fit=max&ixid=eyJhcHBfaWQiOjEyMDd9
                thumbnail 200x133 jpeg https://images.unsplash.com/photo-155053…&w=200&fit=max&ixid=eyJhcHBfaWQiOjEyMDd9
                """),
        RecordedSample(
            "unsplash", .details, "photo_detail_ZUaqqMxtxYk.json",
            first: """
                image ZUaqqMxtxYk
                page: http://lvh.me:3000/photos/ZUaqqMxtxYk?utm_source=imgscript&utm_medium=referral
                tags: greenland, scoresbysund, inutsaaip aqqulaa 366
                author: Andy Brunner | andy_brunner | http://lvh.me:3000/@andy_brunner?utm_source=imgscript&utm_medium=referral
                license: unsplash | Unsplash License | https://unsplash.com/license
                created: 2015-04-10T12:03:03-04:00
                location: Inutsaaip Aqqulaa 366, Scoresbysund, Greenland | Scoresbysund | Greenland | 70.489375 | -21.95160556
                camera: NIKON CORPORATION | NIKON D3100 | 1/500 | 5.6 | 200.0 | 140
                colors: #5E7285
                stats: likes 2, views 0, downloads 0
                original 4608x3072 https://images.unsplash.com/photo-142868…ixlib=rb-1.2.1&ixid=eyJhcHBfaWQiOjEyMDd9
                large 4608x3072 jpeg https://images.unsplash.com/photo-142868…ntropy&cs=srgb&ixid=eyJhcHBfaWQiOjEyMDd9
                regular 1080x720 jpeg https://images.unsplash.com/photo-142868…w=1080&fit=max&ixid=eyJhcHBfaWQiOjEyMDd9
                small 400x267 jpeg https://images.unsplash.com/photo-142868…&w=400&fit=max&ixid=eyJhcHBfaWQiOjEyMDd9
                thumbnail 200x133 jpeg https://images.unsplash.com/photo-142868…&w=200&fit=max&ixid=eyJhcHBfaWQiOjEyMDd9
                """),
        RecordedSample(
            "unsplash", .details, "photo_random.json",
            first: """
                image P7Lh0usGcuk
                title: Mossy Tree
                description: selective focus photography of tree trunk on daytime
                page: http://lvh.me:3000/photos/P7Lh0usGcuk?utm_source=imgscript&utm_medium=referral
                author: Paul Jarvis | pjrvs | http://lvh.me:3000/@pjrvs?utm_source=imgscript&utm_medium=referral
                license: unsplash | Unsplash License | https://unsplash.com/license
                created: 2013-06-09T09:57:48-04:00
                camera: FUJIFILM | X-E1 | 1/200 | 5.6 | 18.0 | 200
                colors: #656D44
                stats: likes 94, views 0, downloads 0
                original 2500x1667 https://images.unsplash.com/2/05.jpg?ixlib=rb-1.2.1&ixid=eyJhcHBfaWQiOjEyMDd9
                large 2500x1667 jpeg https://images.unsplash.com/2/05.jpg?ixl…ntropy&cs=srgb&ixid=eyJhcHBfaWQiOjEyMDd9
                regular 1080x720 jpeg https://images.unsplash.com/2/05.jpg?ixl…w=1080&fit=max&ixid=eyJhcHBfaWQiOjEyMDd9
                small 400x267 jpeg https://images.unsplash.com/2/05.jpg?ixl…&w=400&fit=max&ixid=eyJhcHBfaWQiOjEyMDd9
                thumbnail 200x133 jpeg https://images.unsplash.com/2/05.jpg?ixl…&w=200&fit=max&ixid=eyJhcHBfaWQiOjEyMDd9
                """),
    ]
}
