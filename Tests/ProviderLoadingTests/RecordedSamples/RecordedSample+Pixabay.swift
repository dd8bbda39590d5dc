extension RecordedSample {
    static let pixabay = [
        RecordedSample(
            "pixabay", .search, "search_nature_london_3hits.json", count: 3, total: 3, lastID: "4744181",
            first: """
                image 4910149
                page: https://pixabay.com/photos/daffodils-spring-2020-03-07-garden-4910149/
                tags: daffodils, spring, 2020-03-07
                author: Meatle | 9394834 | https://pixabay.com/users/Meatle-9394834/
                license: pixabay | Pixabay Content License | https://pixabay.com/service/license-summary/
                stats: views 532, downloads 247, likes 31, comments 44, favorites 2
                large https://pixabay.com/get/52e9d4434b56a514…ed8e050566c4870267cd1974dc75aba_1280.jpg
                regular 640x427 https://pixabay.com/get/52e9d4434b56a514…1439dbe6544c704c7c287ed4974fc75a_640.jpg
                small https://pixabay.com/get/52e9d4434b56a514…1439dbe6544c704c7c287ed4974fc75a_340.jpg
                thumbnail 150x100 https://cdn.pixabay.com/photo/2020/03/07/15/52/daffodils-4910149_150.jpg
                """),
        RecordedSample(
            "pixabay", .search, "search_page1_20hits_capped500.json", count: 20, total: 500, lastID: "3580560",
            first: """
                image 634572
                page: https://pixabay.com/photos/apples-fruits-red-ripe-vitamins-634572/
                tags: apples, fruits, red
                author: Desertrose7 | 752536 | https://pixabay.com/users/Desertrose7-752536/
                license: pixabay | Pixabay Content License | https://pixabay.com/service/license-summary/
                stats: views 406062, downloads 232195, likes 2287, comments 180, collections 2947
                large https://pixabay.com/get/g13142aa34c3ea39…e5443c47362c66c2559092047ae3226_1280.jpg
                regular 427x640 https://pixabay.com/get/g7f17ce10cc37a9c…ab20b2b19b34af822e95a19e60e748e8_640.jpg
                small https://pixabay.com/get/g7f17ce10cc37a9c…ab20b2b19b34af822e95a19e60e748e8_340.jpg
                thumbnail 100x150 https://cdn.pixabay.com/photo/2015/02/13/00/43/apples-634572_150.jpg
                """),
        RecordedSample(
            "pixabay", .details, "doc_example_full_access.json",
            first: """
                image 195893
                page: https://pixabay.com/en/blossom-bloom-flower-195893/
                tags: blossom, bloom, flower
                author: Josch13 | 48777 | https://pixabay.com/users/Josch13-48777/
                license: pixabay | Pixabay Content License | https://pixabay.com/service/license-summary/
                stats: views 7671, downloads 6439, likes 5, comments 2, favorites 1
                original 4000x2250 4731420 bytes https://pixabay.com/get/ed6a9364a9fd0a76647.jpg
                large https://pixabay.com/get/ed6a9369fd0a76647_1920.jpg
                large https://pixabay.com/get/ed6a99fd0a76647_1280.jpg
                regular 640x360 https://pixabay.com/get/35bbf209e13e39d2_640.jpg
                small https://pixabay.com/get/35bbf209e13e39d2_340.jpg
                thumbnail 150x84 https://cdn.pixabay.com/photo/2013/10/15/09/12/flower-195893_150.jpg
                """),
    ]
}
